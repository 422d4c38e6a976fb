//! The list of rod models. [`RodModel`] is made from it, and so is every choice between models
//! (`rods/models`): a new model is one line here and one file there.

/// Hands the list to the macro `$use`: `Name = number "what errors call it"`, and the cargo feature
/// that the model is behind, if any. The number is that of the C ABI.
macro_rules! models {
    ($use:ident) => {
        $use! {
            /// Position-based rods with ghost points (Umetani 2014): many cheap iterations.
            #[default]
            Ghost = 0 "ghost-point rods";
            /// Discrete elastic rods (Bergou 2010; Takahashi & Batty 2025): an iteration is a step of
            /// Newton's method over the whole strand. Physical stiffness only.
            Der = 1 "discrete elastic rods";
            /// Point masses on springs, which nothing bends or twists. It shows what a model costs.
            Springs = 2 "springs" if "springs";
        }
    };
}
pub(crate) use models;

macro_rules! declare {
    ($($(#[$about:meta])* $name:ident = $number:literal $text:literal $(if $feature:literal)?;)*) => {
        /// Which rods these are.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
        pub enum RodModel {
            $($(#[$about])* $(#[cfg(feature = $feature)])? $name = $number,)*
        }
        impl RodModel {
            /// All models, by their number.
            pub const ALL: &'static [RodModel] = &[$($(#[cfg(feature = $feature)])? RodModel::$name),*];
            /// What errors call it.
            pub fn name(self) -> &'static str {
                match self {
                    $($(#[cfg(feature = $feature)])? RodModel::$name => $text,)*
                }
            }
        }
    };
}
models!(declare);
