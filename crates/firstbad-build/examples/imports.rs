//! Prints the import graph of a folder, one dependency per line: `cargo run --example imports -- python FOLDER [ROOT...]`.

use firstbad::Error;
use firstbad_build::{Folder, SourceOptions, read};

fn main() -> Result<(), Error> {
    let mut arguments = std::env::args().skip(1);
    let (Some(kind), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err(Error::invalid("arguments", "", "python or javascript, and a folder"));
    };
    let source = Folder::open(folder)?;
    let options = SourceOptions { roots: arguments.collect(), configuration: false, ..SourceOptions::default() };
    let loaded = read(&kind, &source, &options)?;
    for target in loaded.graph.targets() {
        println!("{target}");
        for dep in loaded.graph.dependencies(target).unwrap_or_default() {
            println!("{target}\t{dep}");
        }
    }
    loaded.warnings.iter().for_each(|warning| eprintln!("{warning}"));
    Ok(())
}
