#[path = "../cli/src/accuracy/mod.rs"]
#[allow(dead_code)]
mod accuracy;
#[test]
fn try_it() {
    let only: Vec<String> =
        std::env::var("ONLY").unwrap_or_default().split(',').filter(|s| !s.is_empty()).map(String::from).collect();
    let max: usize = std::env::var("MAX").ok().and_then(|m| m.parse().ok()).unwrap_or(50);
    for law in accuracy::laws().filter(|l| only.is_empty() || l.names.iter().any(|n| only.iter().any(|o| n.contains(o.as_str()))))
    {
        for &n in law.edges.iter().filter(|&&n| n <= max) {
            let t = std::time::Instant::now();
            match std::panic::catch_unwind(|| (law.run)(n)) {
                Ok(r) => {
                    for (name, [e, g]) in law.names.iter().zip(r) {
                        println!("{name} n {n} expected {e:.7} got {g:.7} error {:.3e} {:.2?}", g / e - 1.0, t.elapsed())
                    }
                }
                Err(_) => println!("{:?} n {n} PANIC {:.2?}", law.names, t.elapsed()),
            }
        }
    }
}
