// SPDX-License-Identifier: Apache-2.0
// How the arrangements look, in the program's own style: what fits a small screen, what is cut, in both themes. With
// BINADE_TEST_PICTURES each test leaves its picture.
#include "app/docks/configuration_dock.h"
#include "app/docks/device_dock.h"
#include "app/docks/dock.h"
#include "app/docks/inspector_dock.h"
#include "app/docks/inspector_page.h"
#include "app/docks/profile_dock.h"
#include "app/docks/scale_dock.h"
#include "app/docks/scaler_popover.h"
#include "app/docks/silent_dock.h"
#include "app/docks/tensor_dock.h"
#include "app/form/run_form.h"
#include "app/window/arrangement.h"
#include "app/window/start_page.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_run.h"
#include "tests/support/suite.h"
#include "views/chain_view.h"
#include "views/plot/line_plot.h"
#include "views/theme.h"

#include <QApplication>
#include <QCheckBox>
#include <QLabel>
#include <QLineEdit>
#include <QTableView>
#include <QTest>
#include <QToolButton>

namespace {

using namespace binade;
using app::Arrangement;
using test::Explorer;

constexpr QSize kSmall(1280, 800);
constexpr QSize kLarge(1920, 1080);

// Whether every wrapped label of a page has the height that its words need.
QStringList cutLabels(const QWidget* page) {
  QStringList cut;
  for (const QLabel* label : page->findChildren<QLabel*>()) {
    if (!label->isVisible() || label->text().isEmpty() || !label->wordWrap()) continue;
    if (label->height() < label->heightForWidth(label->width())) cut << label->text();
  }
  return cut;
}

void settle() {
  for (int i = 0; i < 5; ++i) QApplication::processEvents();
}

class Looks : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyDoorOfTheStartPageHasAnIcon() {
    Explorer explorer;
    explorer.window().resize(kSmall);
    explorer.window().show();
    explorer.window().showStart();
    settle();
    int icons = 0;
    for (const QLabel* label : explorer.window().startPage()->findChildren<QLabel*>()) {
      const QPixmap pixmap = label->pixmap();
      if (!pixmap.isNull() && pixmap.deviceIndependentSize() == QSizeF(24, 24)) ++icons;
    }
    QCOMPARE(icons, static_cast<int>(explorer.window().startPage()->doors().size()));
  }

  void everyArrangementFitsASmallScreen_data() {
    QTest::addColumn<int>("which");
    QTest::addColumn<bool>("dark");
    for (const Arrangement each : app::kArrangements) {
      QTest::addRow("%s light", qPrintable(app::arrangementName(each))) << static_cast<int>(each) << false;
      QTest::addRow("%s dark", qPrintable(app::arrangementName(each))) << static_cast<int>(each) << true;
    }
  }

  void everyArrangementFitsASmallScreen() {
    QFETCH(const int, which);
    QFETCH(const bool, dark);
    views::applyTheme(*qApp, dark ? views::Theme::kDark : views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.run().setSilent(test::silentReport());
    session.run().addCasts(test::casts(0, 10));
    session.run().setComparison(test::comparison(19));
    app::MainWindow& window = explorer.window();
    window.resize(kSmall);
    window.setArrangement(static_cast<Arrangement>(which));
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    settle();
    QStringList widest;
    for (const app::Dock* dock : window.docks()->all()) {
      if (!dock->isHidden())
        widest << QStringLiteral("%1 %2x%3")
                      .arg(dock->objectName())
                      .arg(dock->minimumSizeHint().width())
                      .arg(dock->minimumSizeHint().height());
    }
    QVERIFY2(window.minimumSizeHint().width() <= kSmall.width(), qPrintable(widest.join(u' ')));
    QVERIFY2(window.minimumSizeHint().height() <= kSmall.height(), qPrintable(widest.join(u' ')));
    QCOMPARE(window.size(), kSmall);
    Explorer::picture(&window, QStringLiteral("small-") + QString::fromLatin1(QTest::currentDataTag()));
    window.resize(kLarge);
    window.restoreDefaultLayout();
    settle();
    QCOMPARE(window.size(), kLarge);
    Explorer::picture(&window, QStringLiteral("large-") + QString::fromLatin1(QTest::currentDataTag()));
  }

  void everyDockFitsASmallScreen_data() {
    QTest::addColumn<int>("which");
    for (const Arrangement each : app::kArrangements)
      QTest::newRow(qPrintable(app::arrangementName(each))) << static_cast<int>(each);
  }

  // Docks that an arrangement does not show may be shown in it. Also then, the window keeps its size.
  void everyDockFitsASmallScreen() {
    QFETCH(const int, which);
    views::applyTheme(*qApp, views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.run().setSilent(test::silentReport());
    session.run().addProfile(test::cpuProfile(0, 9));  // its card says what still works
    app::MainWindow& window = explorer.window();
    window.resize(kSmall);
    window.setArrangement(static_cast<Arrangement>(which));
    settle();
    for (app::Dock* dock : window.docks()->all()) {
      const bool hidden = dock->isHidden();
      dock->show();
      dock->raise();
      settle();
      const QString found = QStringLiteral("%1: %2x%3, least %4x%5")
                                .arg(dock->objectName())
                                .arg(window.width())
                                .arg(window.height())
                                .arg(dock->minimumSizeHint().width())
                                .arg(dock->minimumSizeHint().height());
      QVERIFY2(window.size() == kSmall, qPrintable(found));
      dock->setVisible(!hidden);
    }
  }

  // With the time line and the card that explains why nothing was measured.
  void theLossScaleOfProfileIsHighEnoughToRead() {
    views::applyTheme(*qApp, views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(60);
    explorer.session().run().addProfile(test::cpuProfile(0, 9));
    app::MainWindow& window = explorer.window();
    window.setArrangement(Arrangement::kProfile);
    for (const auto& [size, least] : {std::pair(kSmall, 48), std::pair(QSize(1600, 1000), 100)}) {
      window.resize(size);
      window.restoreDefaultLayout();
      settle();
      const app::DockSet* docks = window.docks();
      const auto high = static_cast<int>(docks->scale->plot()->plotArea().height());
      QVERIFY2(high >= least, qPrintable(QString::number(high)));
      QVERIFY2(docks->profile->height() * 100 >= 26 * size.height(),
               qPrintable(QString::number(docks->profile->height())));
      Explorer::picture(&window, QStringLiteral("profile-%1").arg(size.height()));
    }
  }

  void nothingIsCutInDiagnoseOnASmallScreen() {
    views::applyTheme(*qApp, views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(60);
    app::Session& session = explorer.session();
    session.run().addEvent(test::diagnosed(7, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    session.run().setSilent(test::silentReport());
    app::MainWindow& window = explorer.window();
    window.resize(kSmall);
    window.setArrangement(Arrangement::kDiagnose);
    session.selectEvent(static_cast<int>(session.run().events().size()) - 1);
    settle();
    const app::InspectorPage* page = window.docks()->inspector->page();
    QCOMPARE(cutLabels(page), QStringList());
    QVERIFY(page->chain()->valuesFit());
    // The scaler's fields stand whole.
    window.docks()->scale->scalerButton()->click();
    app::ScalerPopover* scaler = window.docks()->scale->popover();
    QVERIFY(scaler->isVisible() && !scaler->findChildren<QLineEdit*>().isEmpty());
    for (const QLineEdit* edit : scaler->findChildren<QLineEdit*>()) {
      const QRect there(edit->mapTo(scaler, QPoint(0, 0)), edit->size());
      QVERIFY2(scaler->rect().contains(there), qPrintable(edit->objectName()));
      QVERIFY(edit->height() >= edit->minimumSizeHint().height());
    }
    scaler->close();
    window.docks()->silent->raise();
    window.docks()->silent->showFault(0);
    settle();
    QCOMPARE(cutLabels(window.docks()->silent), QStringList());
    Explorer::picture(&window, QStringLiteral("small-silent"));
  }

  // A style sheet slows the start: Qt matches each rule against every widget.
  void noWidgetHasAStyleSheet() {
    views::applyTheme(*qApp, views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(10);
    explorer.window().setupPage();
    QVERIFY(qApp->styleSheet().isEmpty());
    QVERIFY(explorer.window().styleSheet().isEmpty());
    for (const QWidget* each : explorer.window().findChildren<QWidget*>()) QVERIFY(each->styleSheet().isEmpty());
  }

  void theFormsAreMadeWhenTheyAreShown() {
    views::applyTheme(*qApp, views::Theme::kLight);
    Explorer explorer;
    QCOMPARE(explorer.window().findChildren<app::RunForm*>().size(), 0);
    explorer.showFed(10);
    explorer.window().setArrangement(Arrangement::kExplore);  // has the configuration as a tab
    QCOMPARE(explorer.window().findChildren<app::RunForm*>().size(), 1);
    QVERIFY(explorer.window().docks()->configuration->isAncestorOf(explorer.window().docks()->configuration->form()));
  }

  void aBoxThatIsNotTickedIsSeenInBothThemes() {
    for (const views::Theme theme : {views::Theme::kLight, views::Theme::kDark}) {
      views::applyTheme(*qApp, theme);
      QCheckBox box;
      box.resize(40, 24);
      box.show();
      const QImage image = box.grab().toImage();
      int seen = 0;
      for (int x = 0; x < 20; ++x) {
        for (int y = 0; y < 24; ++y) seen += image.pixelColor(x, y) == views::colors().thirdText ? 1 : 0;
      }
      QVERIFY2(seen > 30, qPrintable(QString::number(seen)));
    }
  }

  // A run file from a machine with a GPU, as the window would show it. No figure in it was measured.
  void profileOfARecordedGpuRun_data() {
    QTest::addColumn<bool>("dark");
    QTest::newRow("light") << false;
    QTest::newRow("dark") << true;
  }

  void profileOfARecordedGpuRun() {
    QFETCH(const bool, dark);
    views::applyTheme(*qApp, dark ? views::Theme::kDark : views::Theme::kLight);
    Explorer explorer;
    explorer.showFed(1);
    test::FakeRun fake;
    wire::RunStarted started = fake.started();
    started.device = "NVIDIA L4 (made up)";
    started.run_file = "made-up.binade";
    started.config.caption.clear();
    for (policy::Decision& each : started.policy.decisions) each.execution = policy::Execution::kNative;
    app::RunModel& run = explorer.session().run();
    run.begin(started, app::RunModel::Source::kFile);
    for (int i = 0; i < 400; ++i) {
      run.addSteps({fake.next()});
      if (fake.event() != nullptr) run.addEvent(*fake.event());
      if (i % 20 == 19) run.addProfile(test::lifelikeProfile(i - 19, i));
    }
    wire::Finished finished;
    finished.outcome = wire::Outcome::kCompleted;
    finished.steps = 400;
    run.finish(finished);
    app::MainWindow& window = explorer.window();
    window.setArrangement(Arrangement::kProfile);
    window.findChild<app::ProfileDock*>()->table()->selectRow(2);
    settle();
    const auto tensor = window.findChild<app::TensorDock*>();
    QVERIFY(!tensor->showsCard());
    QVERIFY(tensor->plot()->valuesAt(100).contains(QStringLiteral("minimum to maximum")));
    const QString detail = window.findChild<app::ProfileDock*>()->detail()->text();
    QVERIFY(detail.contains(QStringLiteral("Pad to 8 in the model.")));
    QVERIFY(detail.contains(QStringLiteral("nchwToNhwcKernel")));
    QCOMPARE(cutLabels(window.findChild<app::DeviceDock*>()), QStringList());
    Explorer::picture(&window, QStringLiteral("profile-gpu-") + QString::fromLatin1(QTest::currentDataTag()));
  }
};

BINADE_SUITE(Looks);

}  // namespace

#include "tst_looks.moc"
