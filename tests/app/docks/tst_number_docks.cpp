// SPDX-License-Identifier: Apache-2.0
// Look at this number: from the places that show one into the dock of the number formats, by pointer and by key.
#include "app/docks/gradients_dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/numbers_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/scale_edit.h"
#include "app/docks/series_dock.h"
#include "app/docks/sites_dock.h"
#include "app/window/actions.h"
#include "app/window/start_page.h"
#include "tests/app/app_fixture.h"
#include "tests/support/suite.h"
#include "views/chain_view.h"
#include "views/gradient_view.h"
#include "views/look_at_number.h"
#include "views/numbers/numbers_view.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"
#include "views/scale_label.h"

#include <QApplication>
#include <QLabel>
#include <QPersistentModelIndex>
#include <QSlider>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

namespace {

using namespace binade;
using app::Arrangement;
using test::Explorer;
using views::PickedNumber;

QAction* lookIn(const QList<QAction*>& actions) {
  const auto found = std::find_if(actions.begin(), actions.end(), [](const QAction* each) {
    return each->objectName() == QLatin1String(views::kLookAtNumber);
  });
  return found == actions.end() ? nullptr : *found;
}

// Opens a context menu as a person does, and chooses *Look at this number*. False: it is not there, or disabled.
bool look(QWidget* widget, QPoint at, QContextMenuEvent::Reason reason = QContextMenuEvent::Mouse) {
  std::optional<bool> chosen;
  QTimer::singleShot(0, widget, [&chosen] {
    auto* menu = qobject_cast<QMenu*>(QApplication::activePopupWidget());
    QAction* entry = menu == nullptr ? nullptr : lookIn(menu->actions());
    const bool offered = entry != nullptr && entry->isEnabled();
    if (offered) entry->trigger();
    if (menu != nullptr) menu->close();
    chosen = offered;
  });
  QContextMenuEvent event(reason, at, widget->mapToGlobal(at));
  QApplication::sendEvent(widget, &event);
  return QTest::qWaitFor([&chosen] { return chosen.has_value(); }, 5000) && *chosen;
}

// Shows a made-up run, and lets the docks take their places.
void showLaidOut(Explorer& explorer, int steps = 60) {
  explorer.showFed(steps);
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
}

// The numbers that the docks sent.
class Sent {
 public:
  explicit Sent(app::MainWindow& window) {
    for (app::Dock* dock : window.docks()->all()) {
      QObject::connect(dock, &app::Dock::numberRequested, &receiver_,
                       [this](const PickedNumber& number) { numbers_.push_back(number); });
    }
  }
  /// Takes the only number that was sent since the last call.
  std::optional<PickedNumber> take() {
    if (numbers_.size() != 1) return std::nullopt;
    const PickedNumber only = numbers_.front();
    numbers_.clear();
    return only;
  }
  /// Its value; NaN if there is no such number.
  double value() { return take().value_or(PickedNumber{std::numeric_limits<double>::quiet_NaN()}).value; }

 private:
  QObject receiver_;
  std::vector<PickedNumber> numbers_;
};

class NumberDocks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aBarSendsTheLowerEndOfItsBinade() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    views::GradientView* view = explorer.window().docks()->gradients->view();
    views::Histogram* histogram = view->histogram();
    QVERIFY(histogram->isVisible());
    const QRectF area = histogram->plotArea();
    int exponent = -40;
    while (histogram->binadeToY(exponent + 0.5) > area.center().y()) ++exponent;
    const QPoint at(static_cast<int>(area.center().x()), static_cast<int>(histogram->binadeToY(exponent + 0.5)));
    QVERIFY(look(histogram, at));
    const auto number = sent.take();
    QVERIFY(number && number->format);
    QCOMPARE(number->value, std::exp2(exponent));
    QVERIFY(*number->format == formats::kFloat16);
    app::NumbersDock* numbers = explorer.window().docks()->numbers;
    QVERIFY(!numbers->isHidden());
    QCOMPARE(numbers->view()->value(), std::exp2(exponent));
    // The labels beside the plot are no bar.
    QVERIFY(!look(histogram, {histogram->width() - 1, 1}));
    // The menu key has no place: the largest magnitude.
    QVERIFY(look(histogram, {}, QContextMenuEvent::Keyboard));
    const auto largest = sent.take();
    QVERIFY(largest);
    const views::HeatColumns& columns = view->heatMap()->columns();
    QCOMPARE(largest->value, static_cast<double>(columns.statsAt(columns.lastStep())->largest));
  }

  void aCellOfTheHeatMapSendsTheLowerEndOfItsBinade() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    views::HeatMap* map = explorer.window().docks()->gradients->view()->heatMap();
    const QRectF area = map->plotArea();
    const views::Range range = map->valueRange();
    const double exponent = std::floor((range.low + range.high) / 2);
    const QPoint at(static_cast<int>(area.center().x()), static_cast<int>(map->valueToY(exponent + 0.5)));
    QVERIFY(look(map, at));
    const auto number = sent.take();
    QVERIFY(number && number->format);
    QCOMPARE(number->value, std::exp2(exponent));
    QVERIFY(*number->format == formats::kFloat16);
  }

  void theSharesSendTheLimitsOfTheirFormats() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    views::FormatShares* shares = explorer.window().docks()->gradients->view()->shares();
    QVERIFY(shares->formats().front() == formats::kFloat16);
    const QRectF bar = shares->bar(0);
    QVERIFY(look(shares, bar.center().toPoint()));
    QCOMPARE(sent.value(), 65504.0);
    const int y = static_cast<int>(bar.center().y());
    std::vector<double> limits;
    for (int x = 0; x < shares->width(); ++x) {
      const double limit = shares->limitAt(QPointF(x, y))->value;
      if (limits.empty() || limits.back() != limit) limits.push_back(limit);
    }
    QCOMPARE(limits, (std::vector<double>{65504, std::exp2(-24), std::exp2(-14), 65504}));
    QVERIFY(!look(shares, {20, 4}));  // the headings
  }

  void theLossScaleIsSentFromItsChartAndItsField() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    views::ScalePlot* plot = explorer.window().docks()->scale->plot();
    const auto& steps = explorer.session().run().steps();
    const app::StepPoint& point = steps[steps.size() / 2];
    QVERIFY(
        look(plot, QPointF(plot->stepToX(static_cast<double>(point.step)), plot->plotArea().center().y()).toPoint()));
    const auto number = sent.take();
    QVERIFY(number && !number->format);
    QCOMPARE(number->value, point.scale);
    plot->stepAxis()->setCursor(steps[2].step);
    QVERIFY(look(plot, {}, QContextMenuEvent::Keyboard));
    QCOMPARE(sent.value(), steps[2].scale);
    QVERIFY(!look(plot, {2, plot->height() - 2}));  // outside the plot
    auto* now = explorer.window().docks()->scale->findChild<app::ScaleEdit*>();
    QVERIFY(now != nullptr && now->isEnabled());
    QVERIFY(look(now, {4, 4}));
    QCOMPARE(sent.value(), explorer.session().run().scaleNow());
    views::ScaleLabel* what_if = explorer.window().docks()->gradients->view()->scaleLabel();
    QVERIFY(look(what_if, {4, 4}));
    const auto scale = sent.take();
    QVERIFY(scale);
    QCOMPARE(scale->value, std::exp2(explorer.window().docks()->gradients->view()->slider()->value()));
  }

  void aSeriesSendsItsValueAtTheStep() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    explorer.window().docks()->loss->raise();
    views::LinePlot* plot = explorer.window().docks()->loss->plot();
    const app::StepPoint& point = explorer.session().run().steps()[20];
    plot->stepAxis()->setCursor(point.step);
    QVERIFY(look(plot, {}, QContextMenuEvent::Keyboard));
    QCOMPARE(sent.value(), point.loss);
  }

  void aCellOfTheOpCallsSendsItsLargestMagnitude() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    app::SitesDock* sites = explorer.window().docks()->sites;
    QTableView* table = sites->table();
    const QAbstractItemModel* rows = table->model();
    int row = 0;
    while (row < rows->rowCount() && !views::pickedNumber(rows->index(row, app::SiteTableModel::kDoublings))) ++row;
    QVERIFY(row < rows->rowCount());
    const QPersistentModelIndex cell(rows->index(row, app::SiteTableModel::kDoublings));  // rows may be sorted anew
    table->scrollTo(cell);
    const QPoint at = table->visualRect(cell).center();
    QTest::mouseClick(table->viewport(), Qt::LeftButton, {}, at);
    QVERIFY(look(table->viewport(), at));
    const auto number = sent.take();
    QVERIFY(number && number->format);
    const double doublings = cell.data(views::HeadroomRole).toDouble();
    QVERIFY(std::fabs(std::log2(number->format->overflow_limit() / number->value) - doublings) < 1e-9);
    QVERIFY(!explorer.window().docks()->numbers->isHidden());
    sites->raise();
    QVERIFY(look(table, {}, QContextMenuEvent::Keyboard));
    QVERIFY(sent.take() == number);
    // A verdict is no number.
    const QPoint verdict = table->visualRect(cell.sibling(cell.row(), app::SiteTableModel::kVerdict)).center();
    QVERIFY(!look(table->viewport(), verdict));
  }

  void thePageOfAnEventSendsItsValues() {
    Explorer explorer;
    showLaidOut(explorer);
    Sent sent(explorer.window());
    app::MainWindow& window = explorer.window();
    window.setArrangement(Arrangement::kDiagnose);
    app::InspectorPage* page = window.docks()->inspector->page();
    explorer.session().selectEvent(0);
    views::ChainView* chain = page->chain();
    int line = 0;
    while (line < chain->lineCount() && !chain->line(line).number) ++line;
    QVERIFY(line < chain->lineCount());
    QVERIFY(look(chain, chain->lineRect(line).center().toPoint()));
    QVERIFY(sent.take() == chain->line(line).number);
    // Largest magnitude, and where its format overflows.
    std::vector<double> facts;
    for (const QLabel* label : page->findChildren<QLabel*>()) {
      QAction* entry = lookIn(label->actions());
      if (entry == nullptr) continue;
      entry->trigger();
      const auto fact = sent.take();
      QVERIFY(fact);
      facts.push_back(fact->value);
    }
    QCOMPARE(facts.size(), std::size_t{2});
    QCOMPARE(facts.back(), formats::kFloat16.overflow_limit());
    QVERIFY(facts.front() >= facts.back());
  }

  void everyArrangementHasTheDockAsATab() {
    Explorer explorer;
    showLaidOut(explorer, 20);
    app::MainWindow& window = explorer.window();
    app::NumbersDock* numbers = window.docks()->numbers;
    for (const Arrangement each : app::kArrangements) {
      window.setArrangement(each);
      QVERIFY2(!numbers->isHidden() && !numbers->isFloating(), qPrintable(app::arrangementName(each)));
      QVERIFY2(!window.tabifiedDockWidgets(numbers).isEmpty(), qPrintable(app::arrangementName(each)));
    }
  }

  void itOpensWithoutARunAndStaysOverTheStartOfOne() {
    Explorer explorer;
    app::MainWindow& window = explorer.window();
    window.resize(1600, 1000);
    window.show();
    app::NumbersDock* numbers = window.docks()->numbers;
    QVERIFY(numbers->isHidden());
    window.actions()->numbers->trigger();
    QVERIFY(!numbers->isHidden() && numbers->isFloating());
    QVERIFY(window.startPage()->isVisible());
    numbers->look({65520, formats::kFloat16});
    const QRect place = numbers->geometry();
    test::feedRun(explorer.session().run(), 10);
    QVERIFY(window.showsRun());
    QVERIFY(!numbers->isHidden() && numbers->isFloating());
    QCOMPARE(numbers->geometry().size(), place.size());
    QCOMPARE(numbers->view()->value(), 65520.0);
    window.restoreDefaultLayout();
    QVERIFY(!numbers->isFloating() && !window.tabifiedDockWidgets(numbers).isEmpty());
    // On the start page no dock is left over.
    window.showStart();
    for (const app::Dock* dock : window.docks()->all()) QVERIFY2(dock->isHidden(), qPrintable(dock->objectName()));
  }

  void theNumberIsKeptOverStarts() {
    Explorer explorer;
    explorer.window().show();
    explorer.window().docks()->numbers->look({std::exp2(-24), formats::kFloat16});
    explorer.window().close();
    app::Session session(test::fakeEngine(), &explorer.settings());
    app::MainWindow again(&session, &explorer.settings());
    QCOMPARE(again.docks()->numbers->view()->value(), std::exp2(-24));
  }

  void theTypedTextIsKeptOverStarts() {
    Explorer explorer;
    explorer.window().show();
    QVERIFY(explorer.window().docks()->numbers->view()->enterValue(QStringLiteral("0.1")));
    explorer.window().close();
    app::Session session(test::fakeEngine(), &explorer.settings());
    app::MainWindow again(&session, &explorer.settings());
    QCOMPARE(again.docks()->numbers->view()->typedValue(), QStringLiteral("0.1"));
    QVERIFY(!again.docks()->numbers->view()->shown().real.exact);
    // A number that is set takes its place.
    again.docks()->numbers->look({0.1, std::nullopt});
    again.show();
    again.close();
    app::MainWindow third(&session, &explorer.settings());
    QCOMPARE(third.docks()->numbers->view()->value(), 0.1);
  }
};

}  // namespace

BINADE_SUITE(NumberDocks);
#include "tst_number_docks.moc"
