//! What a question costs through the Python and the Node package: `overhead.py` and `overhead.mjs`, on a repository
//! with the shape of git's own.

use std::path::Path;
use std::process::Command;

use crate::graphs::{bare_graph, repository};
use crate::options::Options;

/// Runs both scripts; a package that is not installed is told and passed over.
pub(crate) fn run(options: &Options) -> Result<bool, String> {
    let repository = repository(&bare_graph(&options.data, "git+git")?)?;
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    println!("## Through Python and Node\n\n| what | measured | aim | |\n|---|---|---|---|");
    let python = options.python.as_deref().unwrap_or("python3");
    let node = options.node.as_deref().unwrap_or("node");
    for (program, script) in [(python, "overhead.py"), (node, "overhead.mjs")] {
        let status = Command::new(program)
            .arg(here.join(script))
            .arg("--repository")
            .arg(repository.path())
            .status()
            .map_err(|error| format!("{program}: {error}"))?;
        if !status.success() {
            println!("| {script} | not measured: is the package installed for {program}? | | |");
        }
    }
    Ok(true)
}
