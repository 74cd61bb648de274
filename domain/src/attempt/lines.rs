//! The lines of one student's devices. A device that comes to a test after another one gets a newer line, so that what
//! it sets is later than all that the other has made before, also what the other could not send yet
//! (`docs/decisions/0070-lines-of-devices.md`).

/// The line of the device that has begun the test.
pub const FIRST_LINE: u16 = 1;
/// The newest line that there may be. When it is reached, all devices share it, and the higher `seq` wins among them.
pub const LINE_MAX: u16 = 1_000;

/// A line that was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeviceLine {
    /// Newer ones are higher.
    pub line: u16,
    /// SHA-256 of the token with which it was got. Devices may share one: a link opens a test with the token of the
    /// device that shows it.
    pub token_hash: [u8; 32],
    /// The first line of the same device.
    pub device: u16,
}

/// A device that comes to a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Comer {
    /// SHA-256 of its token.
    pub token_hash: [u8; 32],
    /// The line that it says it has, 0 for none. `None` if it says nothing: then its token tells the device.
    pub line: Option<u16>,
}

/// The lines of one attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceLines {
    first: [u8; 32],
    /// Those after the first, oldest first: none for most attempts.
    further: Vec<DeviceLine>,
}

impl DeviceLines {
    /// Those of an attempt that was begun with this token.
    #[must_use]
    pub const fn of(first: [u8; 32], further: Vec<DeviceLine>) -> Self {
        Self { first, further }
    }

    /// SHA-256 of the token with which the attempt was begun.
    #[must_use]
    pub const fn first(&self) -> [u8; 32] {
        self.first
    }

    /// Replaces those after the first by what the database has.
    pub fn learn(&mut self, further: Vec<DeviceLine>) {
        self.further = further;
    }

    fn all(&self) -> impl DoubleEndedIterator<Item = DeviceLine> {
        let first = DeviceLine { line: FIRST_LINE, token_hash: self.first, device: FIRST_LINE };
        std::iter::once(first).chain(self.further.iter().copied())
    }

    /// The newest line that was given.
    #[must_use]
    pub fn newest(&self) -> u16 {
        self.further.last().map_or(FIRST_LINE, |last| last.line)
    }

    /// The line that a comer has had so far; `None` if it is new.
    fn of_comer(&self, comer: &Comer) -> Option<DeviceLine> {
        let is_its = |given: &DeviceLine| {
            given.token_hash == comer.token_hash && comer.line.is_none_or(|line| line == given.line)
        };
        self.all().rev().find(is_its)
    }

    /// The line with which a comer goes on as it is: its own, if no other device has come since and nothing was set by
    /// a newer one. `None` if it needs a new one. `used` is the newest line that has set a value.
    #[must_use]
    pub fn kept_by(&self, comer: &Comer, used: u16) -> Option<u16> {
        if self.newest().max(used) >= LINE_MAX {
            return Some(LINE_MAX);
        }
        self.of_comer(comer).map(|had| had.line).filter(|line| *line == self.newest() && *line >= used)
    }

    /// The next line, for a comer that can't keep its own.
    #[must_use]
    pub fn next_for(&self, comer: &Comer, used: u16) -> DeviceLine {
        let line = self.newest().max(used).saturating_add(1).min(LINE_MAX);
        let device = self.of_comer(comer).map_or(line, |had| had.device);
        DeviceLine { line, token_hash: comer.token_hash, device }
    }

    /// The number of the device that has this line. `None` for a line that is not known.
    #[must_use]
    pub fn device_of(&self, line: u16) -> Option<u16> {
        self.all().find(|given| given.line == line).map(|given| given.device)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ADA: [u8; 32] = [1; 32];
    const BO: [u8; 32] = [2; 32];

    fn of_token(token_hash: [u8; 32]) -> Comer {
        Comer { token_hash, line: None }
    }

    fn give(lines: &mut DeviceLines, comer: Comer) -> u16 {
        let given = lines.next_for(&comer, 0);
        lines.learn(lines.all().skip(1).chain([given]).collect());
        given.line
    }

    #[test]
    fn a_device_keeps_its_line_until_another_one_comes() {
        let mut lines = DeviceLines::of(ADA, Vec::new());
        let (ada, bo) = (of_token(ADA), of_token(BO));
        assert_eq!((lines.kept_by(&ada, 0), lines.kept_by(&ada, 1), lines.kept_by(&bo, 0)), (Some(1), Some(1), None));
        assert_eq!(give(&mut lines, bo), 2);
        assert_eq!((lines.kept_by(&bo, 1), lines.kept_by(&ada, 1)), (Some(2), None));
        assert_eq!(give(&mut lines, ada), 3);
        assert_eq!((lines.kept_by(&ada, 2), lines.kept_by(&bo, 2)), (Some(3), None));
        assert_eq!([0, 1, 2, 3, 4].map(|line| lines.device_of(line)), [None, Some(1), Some(2), Some(1), None]);
    }

    #[test]
    fn devices_that_share_a_token_are_told_apart_by_the_lines_that_they_name() {
        let mut lines = DeviceLines::of(ADA, Vec::new());
        let has = |line: u16| Comer { token_hash: ADA, line: Some(line) };
        assert_eq!((lines.kept_by(&has(1), 1), lines.kept_by(&has(0), 1)), (Some(1), None));
        assert_eq!(give(&mut lines, has(0)), 2);
        assert_eq!((lines.kept_by(&has(2), 1), lines.kept_by(&has(1), 1)), (Some(2), None));
        assert_eq!(give(&mut lines, has(1)), 3);
        assert_eq!([1, 2, 3].map(|line| lines.device_of(line)), [Some(1), Some(2), Some(1)]);
        assert_eq!(
            lines.kept_by(&Comer { token_hash: BO, line: Some(3) }, 1),
            None,
            "another token's line is no proof"
        );
    }

    #[test]
    fn a_value_of_a_line_that_is_not_known_is_older_than_the_next_line() {
        let lines = DeviceLines::of(ADA, Vec::new());
        assert_eq!((lines.kept_by(&of_token(ADA), 7), lines.next_for(&of_token(ADA), 7).line), (None, 8));
        assert_eq!(lines.kept_by(&of_token(BO), LINE_MAX), Some(LINE_MAX), "the last line is everyone's");
    }
}
