//! The program `firstbad`.

fn main() {
    std::process::exit(firstbad_cli::main(std::env::args_os()));
}
