//! Axes of counts.

/// The ratio of the largest to the smallest count from which the axis is logarithmic.
const ORDERS: f64 = 30.0;

/// An axis of counts from 0, linear or logarithmic.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Axis {
    pub(crate) logarithmic: bool,
    most: usize,
    from: f64,
    to: f64,
}

#[allow(clippy::cast_precision_loss, reason = "a place in a picture")]
impl Axis {
    /// Creates an axis from the coordinate of 0 to the coordinate of the largest count.
    pub(crate) fn new(counts: impl Iterator<Item = usize>, from: f64, to: f64) -> Axis {
        let (mut least, mut most) = (usize::MAX, 1);
        for count in counts.filter(|&count| count > 0) {
            (least, most) = (least.min(count), most.max(count));
        }
        Axis { logarithmic: most as f64 >= ORDERS * least as f64, most, from, to }
    }

    /// Returns the axis with other coordinates.
    pub(crate) fn moved(self, from: f64, to: f64) -> Axis {
        Axis { from, to, ..self }
    }

    pub(crate) fn at(&self, count: usize) -> f64 {
        let (count, most) = (count as f64, self.most as f64);
        // `ln_1p`, because 0 has no logarithm.
        let part = if self.logarithmic { count.ln_1p() / most.ln_1p() } else { count / most };
        self.from + part * (self.to - self.from)
    }

    /// Returns the counts of the tick labels, ascending.
    pub(crate) fn ticks(&self) -> Vec<usize> {
        let most = self.most;
        if self.logarithmic {
            let tens = std::iter::successors(Some(1_usize), |tick| tick.checked_mul(10));
            return [0].into_iter().chain(tens.take_while(|&tick| tick <= most)).collect();
        }
        let steps = std::iter::successors(Some(1_usize), |step| step.checked_mul(10));
        let step =
            steps.flat_map(|step| [1, 2, 5].map(|times| step.saturating_mul(times))).find(|step| most / step <= 5);
        (0..=most).step_by(step.unwrap_or(most).max(1)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_axis_is_logarithmic_for_sizes_of_different_orders() {
        let axis = |counts: &[usize]| Axis::new(counts.iter().copied(), 0.0, 100.0);
        assert_eq!(axis(&[]).ticks(), [0, 1]);
        assert_eq!(axis(&[3, 24]).ticks(), [0, 5, 10, 15, 20]);
        assert_eq!((axis(&[24]).at(0), axis(&[24]).at(12), axis(&[24]).at(24)), (0.0, 50.0, 100.0));
        let wide = axis(&[0, 2, 4000]);
        assert!(wide.logarithmic && !axis(&[100, 0, 2999]).logarithmic);
        assert_eq!(wide.ticks(), [0, 1, 10, 100, 1000]);
        assert!(wide.at(1) > 0.0 && wide.at(4000) == 100.0);
        assert!(axis(&[usize::MAX]).ticks().len() < 7);
    }
}
