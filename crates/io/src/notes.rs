//! What a reader left out, named once each.

/// At most so many are named: a file can be damaged a million times.
const MOST: usize = 50;

#[derive(Default)]
pub(crate) struct Notes {
    list: Vec<String>,
    more: usize,
}

impl Notes {
    pub fn add(&mut self, what: impl Into<String>) {
        let what: String = what.into().chars().take(300).collect();
        if self.list.contains(&what) {
            return;
        }
        if self.list.len() < MOST {
            self.list.push(what);
        } else {
            self.more += 1;
        }
    }

    pub fn finish(mut self) -> Vec<String> {
        if self.more > 0 {
            self.list.push(format!("{} more", self.more));
        }
        self.list
    }
}
