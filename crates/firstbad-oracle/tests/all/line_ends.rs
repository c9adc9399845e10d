//! Line endings in worktrees, and long paths. The command is this test program, which runs [`child`]. On Windows, the tests need
//! Git for Windows. They have not run there yet.

use crate::common::Repo;
use firstbad::Outcome;
use firstbad_oracle::CommandOracle;

/// The variable with the path of the file to check.
const FILE: &str = "FIRSTBAD_TEST_FILE";

/// Passes if the lines of the file end with CR LF.
#[test]
fn child() {
    let Some(file) = std::env::var_os(FILE) else { return };
    std::process::exit(i32::from(!std::fs::read(file).unwrap().ends_with(b"\r\n")));
}

fn ends_with_cr_lf(repo: &Repo, file: &str) -> bool {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let command = [&program, "line_ends::child", "--exact"].map(str::to_owned).to_vec();
    let mut options = repo.options();
    options.env = vec![(FILE.to_owned(), file.to_owned())];
    let oracle = CommandOracle::new(&repo.open(), command, options).unwrap();
    let seen = oracle.run("HEAD").unwrap();
    oracle.close().unwrap();
    match seen.outcome {
        Outcome::Pass => true,
        Outcome::Fail => false,
        Outcome::Unresolved => panic!("{seen:?}"),
    }
}

#[test]
fn line_endings_follow_the_commit_on_windows_and_the_user_elsewhere() {
    let repo = Repo::new();
    repo.write("plain", "one\n");
    repo.write("script.bat", "one\n");
    repo.write(".gitattributes", "*.bat text eol=crlf\n");
    repo.commit("one");
    assert!(!ends_with_cr_lf(&repo, "plain"));
    repo.git(&["config", "core.autocrlf", "true"]);
    assert_eq!(ends_with_cr_lf(&repo, "plain"), cfg!(unix));
    assert!(ends_with_cr_lf(&repo, "script.bat"));
}

#[test]
fn paths_can_exceed_260_characters() {
    let repo = Repo::new();
    let long = format!("{0}/{0}/{0}/file", "long".repeat(25));
    // Adds the file to the index by name, because some Windows programs cannot create a file with such a long path.
    let blob = crate::common::git(&repo.path, &["hash-object", "-w", "--stdin"], "one\r\n");
    repo.git(&["update-index", "--add", "--cacheinfo", &format!("100644,{blob},{long}")]);
    repo.git(&["commit", "-q", "-m", "one"]);
    assert!(ends_with_cr_lf(&repo, &long));
}
