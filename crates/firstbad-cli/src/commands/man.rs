//! `firstbad man`.

use firstbad::Error;
use firstbad_report::Exit;

use crate::args::{Cli, ManArgs};
use crate::streams;

/// Prints one page, or writes all pages to a folder.
pub(super) fn run(args: &ManArgs) -> Result<Exit, Error> {
    let mut program = Cli::program();
    if let Some(folder) = &args.folder {
        let made = std::fs::create_dir_all(folder).and_then(|()| clap_mangen::generate_to(program, folder));
        made.map_err(|error| failed(format!("writing manual pages to {}", folder.display()), &error))?;
        return Ok(Exit::Done);
    }
    // The names of the pages, such as `firstbad-run`, exist after this.
    program.build();
    let described = match &args.command {
        None => &program,
        Some(name) => program.find_subcommand(name).ok_or_else(|| {
            let known: Vec<&str> = program.get_subcommands().map(clap::Command::get_name).collect();
            Error::invalid("COMMAND", name, format!("one of {}", known.join(", ")))
        })?,
    };
    let mut page = Vec::new();
    let made = clap_mangen::Man::new(described.clone()).render(&mut page);
    made.map_err(|error| failed("making the manual page".to_owned(), &error))?;
    streams::bytes(&page)?;
    Ok(Exit::Done)
}

fn failed(action: String, error: &std::io::Error) -> Error {
    Error::Io { action, message: error.to_string() }
}
