//! A round of a broadcast, and the requests it is told by.

use super::{parcel::Parcel, token::Keeper, wire::Asked};

/// A round of a broadcast.
pub(super) struct Room {
    pub(super) base: String,
    pub(super) id: String,
    pub(super) keeper: Keeper,
}

impl Room {
    /// A request for it, with its token.
    pub(super) fn asked(&self, address: String, parcel: Parcel) -> Result<Asked, String> {
        let token = Some(self.keeper.token()?);
        Ok(Asked { method: "POST", address, token, mime: "text/plain; charset=utf-8", parcel })
    }
}
