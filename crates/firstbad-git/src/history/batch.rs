//! Single commits, read through one `git cat-file --batch` process.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

use firstbad::Error;
use gix_hash::ObjectId;

use crate::git;
use crate::repository::Repository;

/// How many questions may wait in the pipe: 64 of 51 bytes fit into the smallest pipe there is, so that git and we
/// never wait for each other.
const AT_ONCE: usize = 64;

/// A commit as it is stored.
pub(super) struct Stored {
    pub(super) id: ObjectId,
    pub(super) parents: Vec<ObjectId>,
    pub(super) time: i64,
}

/// The process; it ends when this is dropped.
pub(super) struct Batch {
    child: Child,
    questions: Option<ChildStdin>,
    answers: BufReader<ChildStdout>,
}

impl Batch {
    pub(super) fn start(repository: &Repository) -> Result<Batch, Error> {
        let mut command = repository.git();
        command.args(["cat-file", "--batch"]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().map_err(|error| git::cannot_run(&error))?;
        let (questions, answers) = (child.stdin.take(), child.stdout.take());
        let Some(answers) = answers else { return Err(broken("it has no output")) };
        Ok(Batch { child, questions, answers: BufReader::new(answers) })
    }

    /// The commits with these ids; what is missing or no commit is left out.
    pub(super) fn read(&mut self, ids: &[ObjectId]) -> Result<Vec<Stored>, Error> {
        let mut found = Vec::with_capacity(ids.len());
        for chunk in ids.chunks(AT_ONCE) {
            let text: String = chunk.iter().map(|id| format!("{id}^{{commit}}\n")).collect();
            let Some(pipe) = &mut self.questions else { return Err(broken("it has no input")) };
            pipe.write_all(text.as_bytes()).and_then(|()| pipe.flush()).map_err(|error| broken(&error.to_string()))?;
            for _ in chunk {
                found.extend(self.answer().map_err(|error| broken(&error.to_string()))?);
            }
        }
        Ok(found)
    }

    fn answer(&mut self) -> std::io::Result<Option<Stored>> {
        let mut header = String::new();
        self.answers.read_line(&mut header)?;
        let words: Vec<&str> = header.split_whitespace().collect();
        let [id, "commit", size] = words[..] else {
            return if header.is_empty() { Err(std::io::ErrorKind::UnexpectedEof.into()) } else { Ok(None) };
        };
        let size: usize = size.parse().map_err(std::io::Error::other)?;
        let mut body = vec![0; size + 1];
        self.answers.read_exact(&mut body)?;
        let id = ObjectId::from_hex(id.as_bytes()).map_err(std::io::Error::other)?;
        let mut stored = Stored { id, parents: Vec::new(), time: 0 };
        for line in body.split(|&byte| byte == b'\n').take_while(|line| !line.is_empty()) {
            if let Some(parent) = line.strip_prefix(b"parent ") {
                stored.parents.push(ObjectId::from_hex(parent).map_err(std::io::Error::other)?);
            } else if let Some(committer) = line.strip_prefix(b"committer ") {
                stored.time = time(committer);
                break;
            }
        }
        Ok(Some(stored))
    }
}

/// `Name <address> 1700000000 +0100`; 0, as git has it, where that is damaged.
fn time(committer: &[u8]) -> i64 {
    let after = committer.iter().rposition(|&byte| byte == b'>').map_or(0, |place| place + 1);
    let text = String::from_utf8_lossy(&committer[after..]);
    text.split_whitespace().next().and_then(|seconds| seconds.parse().ok()).unwrap_or(0)
}

fn broken(reason: &str) -> Error {
    Error::Git { message: format!("git cat-file --batch: {reason}") }
}

impl Drop for Batch {
    fn drop(&mut self) {
        // The end of its input is what ends it.
        self.questions = None;
        let _ = self.child.wait();
    }
}
