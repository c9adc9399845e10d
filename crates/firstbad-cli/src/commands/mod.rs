//! The commands.

mod ask;
mod completions;
pub(crate) mod explain;
mod init;
mod man;
mod metric;
mod minimize;
mod port;
mod rank;
mod replay;
mod report;
mod run;
mod slice;
mod status;
mod tell;
mod triage;
mod undo;

use firstbad::Error;
use firstbad_report::Exit;

use crate::args::{Cli, Command, EXIT_CODES, metric_page};
use crate::{last_run, streams};

/// Sets the journal of `--resume`.
fn resumed(mut command: Command) -> Result<Command, Error> {
    if let Command::Run(args) = &mut command {
        args.test.base.submodules |= args.into_submodules;
    }
    let (drive, how, repository, name) = match &mut command {
        Command::Run(args) => (&mut args.drive, args.resume, &args.search.repository, "run"),
        Command::Triage(args) => (&mut args.drive, args.resume, &args.repository, "triage"),
        Command::Port(args) => (&mut args.drive, args.resume, &args.repository, "port"),
        Command::Slice(args) => (&mut args.drive, args.resume, &args.repository, "slice"),
        _ => return Ok(command),
    };
    if how.resume {
        drive.journal = Some(last_run::meant(None, repository.named(), Some(name))?);
    }
    Ok(command)
}

/// Runs a command.
pub(crate) fn run(given: Cli) -> Result<Exit, Error> {
    match resumed(given.command)? {
        Command::Run(args) => run::run(&args),
        Command::Triage(args) => triage::run(&args),
        Command::Init(args) => init::run(&args),
        Command::Ask(args) => ask::run(&args),
        Command::Tell(args) => tell::run(&args),
        Command::Undo(args) => undo::run(&args),
        Command::Report(args) => report::run(&args),
        Command::Status(args) => status::run(&args),
        Command::Replay(args) => replay::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Minimize(args) => minimize::run(&args),
        Command::Port(args) => port::run(&args),
        Command::Slice(args) => slice::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
        Command::Help(args) => {
            match args.topic.as_deref() {
                Some("metric") => streams::print(&metric_page(&Cli::program()))?,
                _ => streams::print(EXIT_CODES)?,
            }
            Ok(Exit::Done)
        }
    }
}
