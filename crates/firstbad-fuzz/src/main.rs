//! The program that `make fuzz` runs with libFuzzer. Without libFuzzer, `firstbad-fuzz` lists the targets, `firstbad-fuzz seeds
//! FOLDER` writes the seeds of each, and `firstbad-fuzz TARGET FILE...` runs inputs.
#![cfg_attr(fuzzing, no_main)]

#[cfg(fuzzing)]
libfuzzer_sys::fuzz_target!(|input: &[u8]| {
    use std::sync::LazyLock;

    static CHOSEN: LazyLock<&firstbad_fuzz::Target> = LazyLock::new(|| {
        let name = std::env::var("FUZZ_TARGET").unwrap_or_default();
        firstbad_fuzz::ALL.iter().find(|target| target.name == name).expect("FUZZ_TARGET names a target")
    });
    CHOSEN.run(input);
});

#[cfg(not(fuzzing))]
fn main() -> std::io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    match words.split_first() {
        None => firstbad_fuzz::ALL.iter().for_each(|target| println!("{}", target.name)),
        Some((verb, folders)) if verb == "seeds" => {
            for target in firstbad_fuzz::ALL {
                let folder = std::path::Path::new(&folders.concat()).join(target.name);
                std::fs::create_dir_all(&folder)?;
                for (number, seed) in target.inputs().iter().enumerate() {
                    std::fs::write(folder.join(format!("seed-{number}")), seed)?;
                }
            }
        }
        Some((name, files)) => {
            let known = firstbad_fuzz::ALL.iter().find(|target| target.name == name);
            let target = known.ok_or_else(|| std::io::Error::other(format!("no target is called {name:?}")))?;
            for file in files {
                target.run(&std::fs::read(file)?);
                println!("{file}: as it should be");
            }
        }
    }
    Ok(())
}
