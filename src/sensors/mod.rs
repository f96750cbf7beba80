//! Serial ports: finding boards, talking to them, recording what they say.
