//! What every entry point is wrapped in: panics become a status, failures leave a text, worlds are entered by try-lock.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::Ordering;

use super::convention::Convention;
use super::float_mode;
use super::handles::{self, Handle};
use super::library::*;
use crate::world::{Error, ErrorKind, Id, TaskRunner, World};

/// A failure on its way to the host.
#[derive(Debug)]
pub struct Failure {
    pub code: i32,
    pub message: String,
}

pub type Result<T> = core::result::Result<T, Failure>;

impl Failure {
    pub fn new(code: i32, message: impl Into<String>) -> Failure {
        Failure { code, message: message.into() }
    }
    pub fn argument(message: impl Into<String>) -> Failure {
        Failure::new(WITHY_ERROR_INVALID_ARGUMENT, message)
    }
    pub fn handle(message: impl Into<String>) -> Failure {
        Failure::new(WITHY_ERROR_INVALID_HANDLE, message)
    }
    pub fn unsupported(message: impl Into<String>) -> Failure {
        Failure::new(WITHY_ERROR_UNSUPPORTED, message)
    }
    pub fn busy(message: impl Into<String>) -> Failure {
        Failure::new(WITHY_ERROR_BUSY, message)
    }
}

impl From<Error> for Failure {
    fn from(e: Error) -> Failure {
        let code = match e.kind {
            ErrorKind::InvalidArgument => WITHY_ERROR_INVALID_ARGUMENT,
            ErrorKind::InvalidHandle => WITHY_ERROR_INVALID_HANDLE,
            ErrorKind::Unsupported => WITHY_ERROR_UNSUPPORTED,
            ErrorKind::Busy => WITHY_ERROR_BUSY,
            ErrorKind::OutOfMemory => WITHY_ERROR_OUT_OF_MEMORY,
            ErrorKind::Internal => WITHY_ERROR_PANIC,
        };
        Failure { code, message: e.message }
    }
}

thread_local! {
    static LAST_ERROR: RefCell<CString> = RefCell::new(CString::default());
}

fn set_last_error(function: &str, message: &str) {
    let text = format!("{function}: {message}").replace('\0', " ");
    // While a thread ends its text may already be gone; the code still says what happened.
    let _ = LAST_ERROR.try_with(|last| *last.borrow_mut() = CString::new(text).unwrap_or_default());
}

pub fn last_error() -> *const c_char {
    LAST_ERROR.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

fn panic_text(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no message")
}

/// Runs `f`; `Err` and panics become a code and this thread's last error.
pub fn call(function: &'static str, f: impl FnOnce() -> Result<()>) -> i32 {
    let caught = || catch_unwind(AssertUnwindSafe(f));
    let outcome = float_mode::usual(caught).unwrap_or_else(|panic| {
        let failure = Failure::new(WITHY_ERROR_PANIC, format!("the library panicked: {}", panic_text(&*panic)));
        // A payload whose destructor panics would unwind into the host.
        std::mem::forget(panic);
        Err(failure)
    });
    match outcome {
        Ok(()) => WITHY_OK,
        Err(failure) => {
            set_last_error(function, &failure.message);
            failure.code
        }
    }
}

/// A world entered for reading, and the object in it that the handle names.
pub struct Reading<'a> {
    pub world: &'a World,
    pub id: Id,
    pub convention: &'a Convention,
    pub runner: &'a dyn TaskRunner,
}

/// A world entered for writing, and the object in it that the handle names.
pub struct Writing<'a> {
    pub world: &'a mut World,
    pub id: Id,
    pub convention: &'a Convention,
    pub runner: &'a dyn TaskRunner,
}

/// Enters the world of `handle` next to other readers.
pub fn read<H: Handle>(function: &'static str, handle: H, f: impl FnOnce(Reading) -> Result<()>) -> i32 {
    call(function, || {
        let (entry, id) = handles::resolve(handle)?;
        let state = entry.state.try_read().ok_or_else(|| noted(&entry, function, busy(H::NAME)))?;
        let world = state.as_ref().ok_or_else(|| gone(H::NAME))?;
        let (convention, runner) = (&entry.context.convention, entry.runner());
        poisoning(function, &entry, || f(Reading { world, id, convention, runner }))
    })
}

/// Enters the world of `handle` alone.
pub fn write<H: Handle>(function: &'static str, handle: H, f: impl FnOnce(Writing) -> Result<()>) -> i32 {
    call(function, || {
        let (entry, id) = handles::resolve(handle)?;
        let mut state = entry.state.try_write().ok_or_else(|| noted(&entry, function, busy(H::NAME)))?;
        let world = state.as_mut().ok_or_else(|| gone(H::NAME))?;
        let (convention, runner) = (&entry.context.convention, entry.runner());
        poisoning(function, &entry, || f(Writing { world, id, convention, runner }))
    })
}

/// Keeps on the world why a call has failed: the thread that wants to know may be another one.
#[inline(never)]
fn note(entry: &handles::WorldEntry, function: &str, message: &str) {
    *entry.last_error.lock() = format!("{function}: {message}");
}

fn noted(entry: &handles::WorldEntry, function: &str, failure: Failure) -> Failure {
    note(entry, function, &failure.message);
    failure
}

/// A panic, or an internal error, inside `f` closes this world for all but its destruction.
fn poisoning(function: &str, entry: &handles::WorldEntry, f: impl FnOnce() -> Result<()>) -> Result<()> {
    if entry.poisoned.load(Ordering::Acquire) {
        // What the earlier call has said stays.
        return Err(Failure::new(
            WITHY_ERROR_PANIC,
            "world: an earlier call failed inside the library; it can only be destroyed",
        ));
    }
    let outcome = catch_unwind(AssertUnwindSafe(f));
    if !matches!(&outcome, Ok(Ok(()))) && !matches!(&outcome, Ok(Err(e)) if e.code != WITHY_ERROR_PANIC) {
        entry.poisoned.store(true, Ordering::Release);
    }
    match outcome {
        Ok(result) => result.map_err(|failure| noted(entry, function, failure)),
        Err(panic) => {
            note(entry, function, &format!("the library panicked: {}", panic_text(&*panic)));
            std::panic::resume_unwind(panic)
        }
    }
}

fn busy(name: &str) -> Failure {
    Failure::busy(format!("{name}: its world is in use by another call"))
}

fn gone(name: &str) -> Failure {
    Failure::handle(format!("{name}: its world has been destroyed"))
}

#[cfg(test)]
mod tests {
    use super::super::context::*;
    use super::super::world::*;
    use super::*;
    use std::ffi::CStr;

    fn text() -> String {
        // SAFETY: a NUL-terminated string of this thread.
        unsafe { CStr::from_ptr(last_error()) }.to_str().unwrap().to_owned()
    }

    fn world_of(context: WithyContext) -> WithyWorld {
        let mut world = WithyWorld::default();
        // SAFETY: valid pointers.
        assert_eq!(unsafe { withy_world_create(context, std::ptr::null(), &mut world) }, WITHY_OK);
        world
    }

    #[test]
    fn a_panic_poisons_one_world_only() {
        let mut context = WithyContext::default();
        // SAFETY: valid pointers.
        assert_eq!(unsafe { withy_context_create(std::ptr::null(), &mut context) }, WITHY_OK);
        let (a, b) = (world_of(context), world_of(context));
        assert_eq!(write("withy_test", a, |_| panic!("on purpose {}", 7)), WITHY_ERROR_PANIC);
        assert!(text().contains("withy_test") && text().contains("on purpose 7"), "{}", text());
        let (entry, _) = handles::resolve(a).unwrap();
        assert_eq!(*entry.last_error.lock(), "withy_test: the library panicked: on purpose 7");
        drop(entry);
        assert_eq!(withy_world_step(a, 0.01), WITHY_ERROR_PANIC);
        assert!(text().contains("only be destroyed"), "{}", text());
        assert_eq!(read("withy_test", a, |_| Ok(())), WITHY_ERROR_PANIC);
        assert_eq!(withy_world_step(b, 0.01), WITHY_OK);
        assert_eq!(read("withy_test", b, |_| Err(Failure::argument("no"))), WITHY_ERROR_INVALID_ARGUMENT);
        assert_eq!(withy_world_step(b, 0.01), WITHY_OK, "a refused argument does not poison");
        assert_eq!(withy_world_destroy(a), WITHY_OK);
        assert_eq!(withy_world_destroy(a), WITHY_ERROR_INVALID_HANDLE);
        assert_eq!(withy_context_destroy(context), WITHY_OK);
        assert_eq!(withy_world_step(b, 0.01), WITHY_ERROR_INVALID_HANDLE);
    }
}
