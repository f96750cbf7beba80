//! What everybody who looks should know of the record: that nothing is being recorded, or that part of it is damaged.

use protocol::feed::Audience;

/// Sentences for every screen. Empty while all is well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// For those who can do nothing about it.
    pub hall: Vec<String>,
    /// For the staff: with files, causes and what to do.
    pub staff: Vec<String>,
}

impl Notice {
    /// The line for one audience.
    pub(super) fn of(&self, audience: Audience) -> Option<String> {
        let sentences = match audience {
            Audience::Public | Audience::Hall => &self.hall,
            Audience::Operator | Audience::Arbiter => &self.staff,
        };
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_files_is_for_the_staff() {
        let notice = Notice { hall: vec!["Something is wrong.".into()], staff: vec!["/a/file is wrong.".into()] };
        assert_eq!(notice.of(Audience::Public).as_deref(), Some("Something is wrong."));
        assert_eq!(notice.of(Audience::Arbiter).as_deref(), Some("/a/file is wrong."));
        assert_eq!(Notice::default().of(Audience::Hall), None);
    }
}
