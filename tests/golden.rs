//! The same bits from every instruction set, with every number of threads, and on every machine.

#[path = "common/golden.rs"]
mod golden;

use withy::math::Isa;

#[test]
fn every_instruction_set_and_thread_count_gives_the_checked_in_hash() {
    let mut wrong = Vec::new();
    for scene in &golden::SCENES {
        for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
            for (threads, runner) in golden::runners() {
                let hash = scene.run(isa, &*runner);
                if hash != scene.hash {
                    wrong.push(format!("{} {} {threads} {hash:016x}, expected {:016x}", scene.name, isa.name(), scene.hash));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
