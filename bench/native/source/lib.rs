//! Empty: cargo wants every package to have a target.
