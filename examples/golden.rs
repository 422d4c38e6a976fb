//! Prints `scene isa threads hash` for the golden scenes, for all that this machine can run, and fails where a hash is not the
//! checked-in one. Without a test harness, so that it runs under wine and qemu.

#[path = "../tests/common/golden.rs"]
mod golden;

use std::process::ExitCode;

use withy::math::Isa;

fn main() -> ExitCode {
    // A scene a thread: under an emulator they take their time.
    let wrong: usize = std::thread::scope(|scope| {
        let threads: Vec<_> = golden::SCENES.iter().map(|scene| scope.spawn(|| run(scene))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or(1)).sum()
    });
    if wrong == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// How many of its hashes are wrong.
fn run(scene: &golden::Golden) -> usize {
    let mut wrong = 0;
    for isa in Isa::ALL.into_iter().filter(|isa| isa.available()) {
        for (threads, runner) in golden::runners() {
            let hash = scene.run(isa, &*runner);
            let note = if hash == scene.hash { "" } else { "  WRONG" };
            wrong += usize::from(hash != scene.hash);
            println!("{:10} {:7} {threads:7} {hash:016x}{note}", scene.name, isa.name());
        }
    }
    wrong
}
