//! The sliders.

use super::app::{App, PANEL};
use crate::args::Motion;
use egui::{Slider, Ui};

/// What was asked for by a button.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Asked {
    pub pause: bool,
    pub step: bool,
    pub restart: bool,
}

pub fn panel(ui: &mut Ui, app: &mut App) -> Asked {
    let mut asked = Asked::default();
    let status = app.status();
    egui::Panel::bottom("status").show(ui, |ui| ui.label(status));
    if !app.panel {
        return asked;
    }
    let (offers, s) = (app.subject().offers(), app.settings);
    let mut new = s;
    egui::Panel::right("settings").default_size(PANEL as f32).resizable(false).show(ui, |ui| {
        ui.horizontal(|ui| {
            asked.pause = ui.button(if app.paused { "go on" } else { "pause" }).clicked();
            asked.step = ui.button("step").clicked();
            asked.restart = ui.button("restart").clicked();
        });
        ui.separator();
        if offers.groom {
            ui.horizontal(|ui| {
                ui.selectable_value(&mut new.sag_free, false, "naive");
                ui.selectable_value(&mut new.sag_free, true, "sag-free");
            });
            ui.small("starts anew");
            ui.separator();
        }
        if offers.stiffness {
            ui.label("stiffness, times its own");
            ui.add(Slider::new(&mut new.stiffness, 0.01..=100.0).logarithmic(true));
            if offers.groom && s.sag_free && s.stiffness != app.made.stiffness {
                ui.small("restart finds the rest shapes for it");
            }
        }
        if offers.air {
            ui.label("damping, 1/s");
            ui.add(Slider::new(&mut new.damping, 0.0..=50.0));
            ui.label("drag of the air, 1/s");
            ui.add(Slider::new(&mut new.drag, 0.0..=20.0));
        }
        ui.label("gravity, m/s²");
        ui.add(Slider::new(&mut new.gravity, 0.0..=30.0));
        if offers.groom && s.sag_free && s.gravity != app.made.gravity {
            ui.small("restart finds the rest shapes for it");
        }
        if offers.air {
            ui.label("wind, m/s (the drag takes it up)");
            ui.add(Slider::new(&mut new.wind, 0.0..=20.0));
            ui.label("its direction, degrees");
            ui.add(Slider::new(&mut new.wind_direction, -180.0..=180.0));
        }
        if offers.groom {
            ui.separator();
            ui.label("head");
            ui.horizontal(|ui| {
                for (motion, name) in
                    [(Motion::Still, "still"), (Motion::Nod, "nod"), (Motion::Turn, "turn"), (Motion::Shake, "shake")]
                {
                    ui.selectable_value(&mut new.motion, motion, name);
                }
            });
            ui.label("width of the grip, m");
            ui.add(Slider::new(&mut new.grip, 0.0..=0.05));
        }
        ui.separator();
        ui.small("left: grab, or turn where nothing is");
        ui.small("right: turn · middle or Shift: move · wheel: zoom");
        ui.small("Space pause · N step · R restart · F whole view");
        ui.small(if offers.groom { "S naive or sag-free · H hide this" } else { "H hide this" });
    });
    app.settings = new;
    asked
}
