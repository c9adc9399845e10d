//! What holds on every system, without a shell and without git: the commands are this test program again, running [`child`].

use std::fs::File;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use firstbad::{Error, Outcome};
use firstbad_oracle::{CommandOptions, FileOracle};

/// Says that this program is a command of a test, and which file it is to hold a lock on.
const LOCK: &str = "FIRSTBAD_TEST_LOCK";

/// Says that this program is to run a command for ever, with its files in this folder.
const DRIVER: &str = "FIRSTBAD_TEST_DRIVER";

/// What a command does is what its file says.
#[test]
fn child() {
    let (Some(lock), Some(file)) = (std::env::var_os(LOCK), std::env::var_os("FIRSTBAD_FILE")) else { return };
    let text = std::fs::read_to_string(&file).unwrap();
    match text.as_str() {
        "waits" => {
            // Another one below it waits, too.
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

    /// Waits until nobody holds the lock any more: whoever held it has ended.
    fn wait_for_the_end(&self) {
        File::options().write(true).open(self.lock()).unwrap().lock().unwrap();
    }

    /// Whether a command of it has got its lock.
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
fn exit_codes_mean_the_same_everywhere() {
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
fn a_program_that_is_not_there_is_said() {
    let command = vec!["no-such-program-anywhere".to_owned()];
    let oracle = FileOracle::new(command, &["f".into()], CommandOptions::default()).unwrap();
    let refused = oracle.run_until(&[Vec::new()], &mut || true).unwrap_err();
    assert!(matches!(refused, Error::CommandNotFound { code: 127, .. }), "{refused}");
}

#[test]
fn an_interruption_ends_all_that_a_command_started() {
    let scene = Scene::new();
    let ended = scene.oracle.run_until(&[b"waits".to_vec()], &mut || !scene.is_waiting());
    assert!(matches!(ended, Err(Error::Interrupted)), "{ended:?}");
    scene.wait_for_the_end();
}

/// The process that is killed below.
#[test]
fn driver() {
    let Some(folder) = std::env::var_os(DRIVER) else { return };
    let _ = oracle(Path::new(&folder)).run_until(&[b"waits".to_vec()], &mut || true);
}

#[test]
fn commands_end_with_a_process_that_is_killed() {
    let scene = Scene::new();
    let mut driver = Command::new(std::env::current_exe().unwrap());
    driver.args(["everywhere::driver", "--exact"]).env(DRIVER, scene.folder.path());
    // What it leaves goes with the folder of this test.
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
fn read_only_files_go_away_with_the_folder_of_a_run() {
    let scene = Scene::new();
    let run = scene.oracle.run_until(&[b"leaves read-only files".to_vec()], &mut || true).unwrap();
    assert_eq!(run.observation.outcome, Outcome::Pass, "{:?}", run.observation);
    scene.oracle.close().unwrap();
}
