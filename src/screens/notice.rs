//! What everybody who looks should know of the record: that nothing is being recorded, or that part of it is damaged.

use protocol::feed::{Audience, v2::Trouble};

/// Sentences for every screen. Empty while all is well.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Notice {
    /// For those who can do nothing about it.
    pub hall: Vec<Warning>,
    /// For the staff: with files, causes and what to do.
    pub staff: Vec<String>,
}

/// One thing that is wrong, as a sentence and for pages that have sentences of their own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What.
    pub trouble: Trouble,
    /// In words, in the time of the hall.
    pub sentence: String,
}

impl Notice {
    /// The line for one audience.
    pub(super) fn of(&self, audience: Audience) -> Option<String> {
        let sentences = match audience {
            Audience::Public | Audience::Hall => self.hall.iter().map(|warning| warning.sentence.as_str()).collect(),
            Audience::Operator | Audience::Arbiter => self.staff.iter().map(String::as_str).collect::<Vec<_>>(),
        };
        (!sentences.is_empty()).then(|| sentences.join(" "))
    }

    /// The same without words. The staff is told more than there is to say here.
    pub(super) fn troubles(&self, audience: Audience) -> Vec<Trouble> {
        match audience {
            Audience::Public | Audience::Hall => self.hall.iter().map(|warning| warning.trouble.clone()).collect(),
            Audience::Operator | Audience::Arbiter => Vec::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_said_of_files_is_for_the_staff() {
        let warning = Warning { trouble: Trouble::HallDamaged, sentence: "Something is wrong.".into() };
        let notice = Notice { hall: vec![warning], staff: vec!["/a/file is wrong.".into()] };
        assert_eq!(notice.of(Audience::Public).as_deref(), Some("Something is wrong."));
        assert_eq!(notice.of(Audience::Arbiter).as_deref(), Some("/a/file is wrong."));
        assert_eq!(notice.troubles(Audience::Public), [Trouble::HallDamaged]);
        assert_eq!(notice.troubles(Audience::Arbiter), [], "they are told it in full");
        assert_eq!(Notice::default().of(Audience::Hall), None);
    }
}
