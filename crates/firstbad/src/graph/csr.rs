/// Compressed sparse rows: row `i` is `values[starts[i]..starts[i + 1]]`.
#[derive(Debug, Clone)]
pub(crate) struct Csr {
    // Slices, because builds optimized for size do not inline the indexing of vectors.
    starts: Box<[u32]>,
    values: Box<[u32]>,
}

impl Csr {
    pub(crate) fn from_parts(starts: Vec<u32>, values: Vec<u32>) -> Self {
        debug_assert_eq!(starts.last().copied(), Some(values.len() as u32));
        Csr { starts: starts.into(), values: values.into() }
    }

    #[inline(always)]
    pub(crate) fn row(&self, row: u32) -> &[u32] {
        &self.values[self.starts[row as usize] as usize..self.starts[row as usize + 1] as usize]
    }

    /// Returns the number of values in all rows.
    pub(crate) fn len(&self) -> usize {
        self.values.len()
    }

    pub(crate) fn rows(&self) -> usize {
        self.starts.len() - 1
    }

    /// Returns the reversed links. Each new row is in ascending order.
    pub(crate) fn transposed(&self) -> Csr {
        let mut starts = vec![0u32; self.starts.len()].into_boxed_slice();
        for &value in &self.values {
            starts[value as usize + 1] += 1;
        }
        for i in 1..starts.len() {
            starts[i] += starts[i - 1];
        }
        let mut next = starts.clone();
        let mut values = vec![0u32; self.values.len()].into_boxed_slice();
        for row in 0..self.rows() as u32 {
            for &value in self.row(row) {
                let place = &mut next[value as usize];
                values[*place as usize] = row;
                *place += 1;
            }
        }
        Csr { starts, values }
    }

    /// Returns the rows with new numbers: row `rank[i]` holds the renumbered values of row `i`.
    pub(crate) fn renamed(&self, rank: &[u32]) -> Csr {
        let mut order = vec![0u32; rank.len()];
        for (old, &new) in rank.iter().enumerate() {
            order[new as usize] = old as u32;
        }
        let mut starts = Vec::with_capacity(self.starts.len());
        let mut values = Vec::with_capacity(self.values.len());
        starts.push(0);
        for &old in &order {
            values.extend(self.row(old).iter().map(|&value| rank[value as usize]));
            starts.push(values.len() as u32);
        }
        Csr::from_parts(starts, values)
    }
}
