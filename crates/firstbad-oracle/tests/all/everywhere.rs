//! Tests for all systems, without a shell or Git. The command is this test program, which runs [`child`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, FileOracle};

/// Marks this program as the command of a test, and names the file to lock.
const LOCK: &str = "FIRSTBAD_TEST_LOCK";

/// Makes this program run an endless command with its files in this folder.
const DRIVER: &str = "FIRSTBAD_TEST_DRIVER";

/// Follows the instructions in its file.
#[test]
fn child() {
    let (Some(lock), Some(file)) = (std::env::var_os(LOCK), std::env::var_os("FIRSTBAD_FILE")) else { return };
    let text = std::fs::read_to_string(&file).unwrap();
    match text.as_str() {
        "waits" => {
            // Starts a child that also waits.
            let mut below = Command::new(std::env::current_exe().unwrap());
            below.args(["everywhere::child", "--exact"]).env("FIRSTBAD_FILE", Path::new(&file).with_extension("below"));
            std::fs::write(Path::new(&file).with_extension("below"), "holds").unwrap();
            below.spawn().unwrap().wait().unwrap();
        }
        "holds" => {
            let held = File::create(&lock).unwrap();
            held.lock().unwrap();
            std::fs::write(Path::new(&lock).with_extension("ready"), "").unwrap();
            loop {
                std::thread::park();
            }
        }
        "leaves read-only files" => {
            let folder = Path::new(&file).parent().unwrap().join("deep/er");
            std::fs::create_dir_all(&folder).unwrap();
            std::fs::write(folder.join("file"), "").unwrap();
            let mut permissions = std::fs::metadata(folder.join("file")).unwrap().permissions();
            permissions.set_readonly(true);
            std::fs::set_permissions(folder.join("file"), permissions.clone()).unwrap();
            if cfg!(unix) {
                std::fs::set_permissions(&folder, permissions).unwrap();
            }
        }
        "aborts" => std::process::abort(),
        code => std::process::exit(code.parse().unwrap()),
    }
}

struct Scene {
    folder: tempfile::TempDir,
    oracle: FileOracle,
}

impl Scene {
    fn new() -> Scene {
        let folder = tempfile::tempdir().unwrap();
        let oracle = oracle(folder.path());
        Scene { folder, oracle }
    }

    fn lock(&self) -> PathBuf {
        self.folder.path().join("lock")
    }

    /// Waits until no process holds the lock anymore.
    fn wait_for_the_end(&self) {
        File::options().write(true).open(self.lock()).unwrap().lock().unwrap();
    }

    /// Returns whether one of its commands has the lock.
    fn is_waiting(&self) -> bool {
        self.lock().with_extension("ready").exists()
    }
}

fn oracle(folder: &Path) -> FileOracle {
    let program = std::env::current_exe().unwrap().to_str().unwrap().to_owned();
    let command = [&program, "everywhere::child", "--exact", "--nocapture"].map(str::to_owned).to_vec();
    let options = CommandOptions {
        env: vec![(LOCK.to_owned(), folder.join("lock").to_str().unwrap().to_owned())],
        kill_after: Duration::from_millis(100),
        ..CommandOptions::default()
    };
    FileOracle::new(command, &["content.txt".into()], options).unwrap()
}

#[test]
fn exit_codes_have_the_same_meaning_on_every_system() {
    let scene = Scene::new();
    let outcome = |text: &str| {
        scene.oracle.run_until(&[text.as_bytes().to_vec()], &mut || true).map(|run| run.observation.outcome)
    };
    assert_eq!(outcome("0").unwrap(), Outcome::Pass);
    assert_eq!(outcome("1").unwrap(), Outcome::Fail);
    assert_eq!(outcome("125").unwrap(), Outcome::Unresolved);
    assert!(matches!(outcome("aborts"), Err(Error::CommandStopped { .. })));
    assert!(matches!(outcome("127"), Err(Error::CommandNotFound { code: 127, .. })));
}

#[test]
fn a_missing_program_is_reported() {
    let command = vec!["no-such-program-anywhere".to_owned()];
    let oracle = FileOracle::new(command, &["f".into()], CommandOptions::default()).unwrap();
    let refused = oracle.run_until(&[Vec::new()], &mut || true).unwrap_err();
    assert!(matches!(refused, Error::CommandNotFound { code: 127, .. }), "{refused}");
}

#[test]
fn an_interruption_ends_all_processes_of_a_command() {
    let scene = Scene::new();
    let ended = scene.oracle.run_until(&[b"waits".to_vec()], &mut || !scene.is_waiting());
    assert!(matches!(ended, Err(Error::Interrupted)), "{ended:?}");
    scene.wait_for_the_end();
}

/// The process that the test below kills.
#[test]
fn driver() {
    let Some(folder) = std::env::var_os(DRIVER) else { return };
    let _ = oracle(Path::new(&folder)).run_until(&[b"waits".to_vec()], &mut || true);
}

#[test]
fn commands_end_if_their_process_is_killed() {
    let scene = Scene::new();
    let mut driver = Command::new(std::env::current_exe().unwrap());
    driver.args(["everywhere::driver", "--exact"]).env(DRIVER, scene.folder.path());
    // The folder of the test contains all remaining files of the process.
    driver.envs(["TMPDIR", "TMP"].map(|name| (name, scene.folder.path())));
    let mut driver = driver.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    while !scene.is_waiting() {
        assert!(driver.try_wait().unwrap().is_none(), "it has ended before");
        std::thread::yield_now();
    }
    driver.kill().unwrap();
    driver.wait().unwrap();
    scene.wait_for_the_end();
}

#[test]
fn read_only_files_are_removed_with_the_folder_of_a_run() {
    let scene = Scene::new();
    let run = scene.oracle.run_until(&[b"leaves read-only files".to_vec()], &mut || true).unwrap();
    assert_eq!(run.observation.outcome, Outcome::Pass, "{:?}", run.observation);
    scene.oracle.close().unwrap();
}
