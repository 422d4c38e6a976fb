//! A third model: point masses on springs (`crates/solve/src/rods/models/springs.rs`). All that a
//! world does with rods works for it, without a line elsewhere: steps, ends, attachments, colliders,
//! snapshots, read-backs, errors.
