//! Numbers and texts in as few bytes as they need.

/// The bytes are not what was written, or another build wrote them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Unreadable;

/// Seven bits a byte, the lowest first; the eighth says that more follow.
pub(crate) fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(low(number) | 0x80);
        number >>= 7;
    }
    out.push(low(number));
}

/// A difference: small whichever way it goes.
pub(crate) fn put_difference(out: &mut Vec<u8>, number: u64, from: u64) {
    let up = number.wrapping_sub(from).cast_signed();
    put_number(out, ((up << 1) ^ (up >> 63)).cast_unsigned());
}

pub(crate) fn put_text(out: &mut Vec<u8>, text: &str) {
    put_number(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

fn low(number: u64) -> u8 {
    number.to_le_bytes()[0] & 0x7F
}

/// Reads what the functions above have put.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bytes<'a> {
    pub(crate) left: &'a [u8],
}

impl<'a> Bytes<'a> {
    pub(crate) fn byte(&mut self) -> Result<u8, Unreadable> {
        let (first, left) = self.left.split_first().ok_or(Unreadable)?;
        self.left = left;
        Ok(*first)
    }

    pub(crate) fn number(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7F) << shift;
            if byte & 0x80 == 0 {
                return Ok(number);
            }
        }
        Err(Unreadable)
    }

    pub(crate) fn difference(&mut self, from: u64) -> Result<u64, Unreadable> {
        let coded = self.number()?;
        let up = (coded >> 1).cast_signed() ^ -(coded & 1).cast_signed();
        Ok(from.wrapping_add(up.cast_unsigned()))
    }

    pub(crate) fn small<T: TryFrom<u64>>(&mut self) -> Result<T, Unreadable> {
        T::try_from(self.number()?).map_err(|_| Unreadable)
    }

    pub(crate) fn bytes(&mut self, count: usize) -> Result<&'a [u8], Unreadable> {
        let (taken, left) = self.left.split_at_checked(count).ok_or(Unreadable)?;
        self.left = left;
        Ok(taken)
    }

    pub(crate) fn text(&mut self) -> Result<&'a str, Unreadable> {
        let count = self.small()?;
        str::from_utf8(self.bytes(count)?).map_err(|_| Unreadable)
    }
}
