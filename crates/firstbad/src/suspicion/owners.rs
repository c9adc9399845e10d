use hashbrown::HashMap;

/// The targets of every file. Most files belong to one.
#[derive(Debug, Clone, Default)]
pub(super) struct Owners {
    first: HashMap<Box<str>, u32>,
    further: HashMap<Box<str>, Vec<u32>>,
    /// The targets of folders. They own files that no target lists. The top folder is the empty string.
    folders: HashMap<Box<str>, Vec<u32>>,
}

impl Owners {
    pub(super) fn add(&mut self, file: &str, target: u32) {
        match self.first.get(file) {
            None => {
                self.first.insert(file.into(), target);
            }
            Some(&first) if first == target => {}
            Some(_) => {
                let further = self.further.entry_ref(file).or_default();
                if !further.contains(&target) {
                    further.push(target);
                }
            }
        }
    }

    /// Adds a target for the files below `folder` that no target lists and that are in no deeper folder of a target.
    pub(super) fn add_folder(&mut self, folder: &str, target: u32) {
        let folder = folder.trim_end_matches('/');
        let folder = if folder == "." { "" } else { folder.strip_prefix("./").unwrap_or(folder) };
        let owners = self.folders.entry_ref(folder).or_default();
        if !owners.contains(&target) {
            owners.push(target);
        }
    }

    /// Returns the targets that list a file, or else the targets of the deepest folder that contains it (Culprit Finder,
    /// Definition 3).
    pub(super) fn of(&self, file: &str) -> impl Iterator<Item = u32> {
        let first = self.first.get(file).copied();
        let others = match first {
            Some(_) => self.further.get(file).map(Vec::as_slice).unwrap_or_default(),
            None => self.of_folders(file),
        };
        first.into_iter().chain(others.iter().copied())
    }

    fn of_folders(&self, file: &str) -> &[u32] {
        if self.folders.is_empty() {
            return &[];
        }
        let mut folder = file;
        while !folder.is_empty() {
            folder = folder.rfind('/').map_or("", |end| &folder[..end]);
            if let Some(owners) = self.folders.get(folder) {
                return owners;
            }
        }
        &[]
    }

    /// Returns each pair of a file and a target that lists it, and each pair of a folder and its target, in no order.
    pub(super) fn pairs(&self) -> (impl Iterator<Item = (&str, u32)>, impl Iterator<Item = (&str, u32)>) {
        fn all(owners: &HashMap<Box<str>, Vec<u32>>) -> impl Iterator<Item = (&str, u32)> {
            owners.iter().flat_map(|(path, targets)| targets.iter().map(|&target| (&**path, target)))
        }
        let first = self.first.iter().map(|(file, &target)| (&**file, target));
        (first.chain(all(&self.further)), all(&self.folders))
    }

    /// Returns the number of listed files.
    pub(super) fn len(&self) -> usize {
        self.first.len()
    }
}
