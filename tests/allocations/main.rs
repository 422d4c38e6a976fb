//! What allocates nothing. One test, because the counter is the process's.

#[path = "../common/counting.rs"]
mod counting;
#[path = "../common/narrow_oracle.rs"]
mod narrow_oracle;

mod abi;
mod bundles;
mod narrow;
mod ragdoll;
mod rod_contacts;
mod tasks;

/// One after the other: the counter is the process's.
#[test]
fn nothing_is_allocated() {
    println!("abi");
    abi::a_frame_does_not_allocate();
    println!("bundles");
    bundles::bundles_allocate_nothing();
    println!("narrow");
    narrow::contacts_and_queries();
    println!("ragdoll");
    ragdoll::frames_of_a_set();
    println!("rod_contacts");
    rod_contacts::rods_on_bodies_allocate_nothing();
    rod_contacts::a_swept_pile_allocates_nothing();
    println!("tasks");
    tasks::pool();
}
