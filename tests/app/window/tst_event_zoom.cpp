// SPDX-License-Identifier: Apache-2.0
// The charts of Diagnose show the steps around the selected event.
#include "app/session/selection.h"
#include "app/window/event_zoom.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"
#include "views/plot/step_axis.h"

#include <QTest>

namespace {

using namespace binade;
using Mode = views::StepAxis::Mode;

class EventZooms : public test::Suite {
  Q_OBJECT

 private:
  // A run of 600 steps, its axis, and what zooms.
  struct Charts {
    Charts() {
      test::feedRun(run, 600);
      axis.extend(0);
      axis.extend(599);
    }
    std::int64_t select(int event) {
      selection.setEvent(event);
      return run.events()[static_cast<std::size_t>(event)].step;
    }
    int last() const { return static_cast<int>(run.events().size()) - 1; }

    app::RunModel run;
    app::Selection selection;
    views::StepAxis axis;
    app::EventZoom zoom{&axis, &selection, &run, nullptr};
  };

 private Q_SLOTS:
  void theStepsAroundAnEventAreShownWhileDiagnoseIs() {
    Charts charts;
    const std::int64_t step = charts.select(charts.last());
    QVERIFY(charts.axis.mode() == Mode::kAll);
    charts.zoom.setActive(true);
    QVERIFY(charts.axis.mode() == Mode::kFixed);
    QVERIFY(charts.axis.range().contains(static_cast<double>(step)));
    QVERIFY(charts.axis.range().span() < 250);
    // New steps do not move it.
    const views::Range before = charts.axis.range();
    charts.axis.extend(700);
    QVERIFY(charts.axis.range() == before);
    // Another event moves it, the first one to the start of the run.
    const std::int64_t first = charts.select(0);
    QVERIFY(charts.axis.range().contains(static_cast<double>(first)));
    QVERIFY(charts.axis.range().low >= 0);
    charts.zoom.setActive(false);
    QVERIFY(charts.axis.mode() == Mode::kAll);
  }

  // Otherwise the other arrangements would stay at an event that the user never chose.
  void leavingDiagnoseTakesTheCursorFromTheEvent() {
    Charts charts;
    charts.zoom.setActive(true);
    charts.selection.setStep(charts.select(charts.last()));
    charts.zoom.setActive(false);
    QVERIFY(!charts.selection.step());
    // A cursor that the user moved stays, and so does the step that all views show.
    charts.zoom.setActive(true);
    charts.selection.setStep(17);
    charts.zoom.setActive(false);
    QVERIFY(charts.selection.step() == std::optional<std::int64_t>(17));
    charts.selection.setShown(charts.select(0));
    charts.zoom.setActive(true);
    charts.zoom.setActive(false);
    QVERIFY(charts.selection.shown().has_value());
  }

  void theUsersOwnZoomStays() {
    Charts charts;
    charts.select(charts.last());
    charts.axis.setRange({20, 60});
    charts.zoom.setActive(true);
    QVERIFY((charts.axis.range() == views::Range{20, 60}));
    charts.axis.fit();
    charts.select(0);
    QVERIFY(charts.axis.mode() == Mode::kFixed);
    charts.axis.setRange({30, 90});
    charts.select(charts.last());
    charts.zoom.setActive(false);
    QVERIFY((charts.axis.range() == views::Range{30, 90}));
  }

  void aShortRunIsShownWhole() {
    Charts charts;
    charts.axis.reset();
    charts.axis.extend(0);
    charts.axis.extend(100);
    charts.zoom.setActive(true);
    charts.select(0);
    QVERIFY(charts.axis.mode() == Mode::kAll);
  }
};

BINADE_SUITE(EventZooms);

}  // namespace

#include "tst_event_zoom.moc"
