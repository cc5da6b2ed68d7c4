// SPDX-License-Identifier: Apache-2.0
#include "tests/support/suite.h"
#include "tests/views/fake_run.h"
#include "views/filter_line.h"
#include "views/gradient_view.h"
#include "views/icons.h"
#include "views/plot/line_plot.h"
#include "views/plot/scale_plot.h"
#include "views/style/looks.h"
#include "views/table/delegates.h"
#include "views/values/numbers.h"

#include <QBoxLayout>
#include <QDir>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStandardItemModel>
#include <QTableView>

#include <cmath>

namespace binade::views {

using test::fakeRun;
using test::fakeStats;

/// Every widget with realistic data in both themes. With BINADE_SHOTS_DIR set, the pictures are left there.
class Shots : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase_data() {
    QTest::addColumn<int>("theme");
    QTest::newRow("light") << static_cast<int>(Theme::kLight);
    QTest::newRow("dark") << static_cast<int>(Theme::kDark);
  }

  void scalePlot() {
    useTheme();
    StepAxis axis;
    ScalePlot plot(&axis);
    fill(plot, 1403);
    plot.setCaption(
        QStringLiteral("Shortened for teaching: starts at 2²⁴, grows every 200 steps. PyTorch’s own "
                       "defaults are 65,536 and 2,000."));
    shoot(plot, "scale", {936, 260});
    axis.setCursor(610);
    axis.setRange({560, 760});
    shoot(plot, "scale-zoomed", {560, 260});
  }

  void linePlots() {
    useTheme();
    StepAxis axis;
    LinePlot loss(&axis);
    loss.setTitle(QStringLiteral("Loss"));
    const int line = loss.addSeries({QStringLiteral("loss"), {}, 41, {}, {}});
    LinePlot norm(&axis);
    norm.addSeries({QStringLiteral("gradient norm"), {}, 41, {}, {}});
    LinePlot rate(&axis);
    rate.addSeries({QStringLiteral("learning rate"), {}, 0, {}, {}});
    for (const auto& s : fakeRun(1403)) {
      loss.append(line, s.step, s.loss);
      norm.append(0, s.step, s.gradientNorm);
      rate.append(0, s.step, s.learningRate);
      if (s.skipped) loss.addMark({s.step, MarkKind::kSkipped, {}});
    }
    loss.addMark({851, MarkKind::kPolicyEdit, QStringLiteral("layer2.0.conv1 → bfloat16")});
    axis.setCursor(731);
    shoot(loss, "loss", {936, 240});
    shoot(norm, "norm", {936, 240});
    shoot(rate, "rate", {936, 240});
    axis.setRange({600, 640});
    shoot(loss, "loss-zoomed", {936, 240});
  }

  void gradients() {
    useTheme();
    StepAxis axis;
    GradientView view(&axis);
    view.resize(660, 560);
    const auto run = fakeRun(1403);
    for (const auto& s : run) {
      if (s.step >= 500 && s.step < 520) continue;
      const double own = -20.5 - 1.2 * std::min(1.0, static_cast<double>(s.step) / 400.0);
      view.appendColumn(s.step, fakeStats(own + s.scaleLog2, 2.3, 20'000, static_cast<unsigned>(s.step)), s.scaleLog2);
    }
    view.showStats(fakeStats(-21.7 + run.back().scaleLog2, 2.3), 1402, run.back().scaleLog2);
    view.setScaleSettable(true);
    view.heatMap()->addMark({851, MarkKind::kPolicyEdit, {}});
    shoot(view, "gradients", {660, 560});
    view.slider()->setValue(27);
    shoot(view, "gradients-what-if", {660, 560});
    view.heatMap()->setValues(HeatMap::Values::kUnscaled);
    shoot(view, "gradients-unscaled", {660, 560});
    view.clear();
    view.histogram()->setEmptyText({}, {});
    shoot(view, "gradients-empty", {660, 560});
  }

  void table() {
    useTheme();
    QStandardItemModel model(0, 7);
    model.setHorizontalHeaderLabels({QStringLiteral("Call"), QStringLiteral("Format"), QStringLiteral("Doublings left"),
                                     QStringLiteral("Lost"), QStringLiteral("Overflows"), QStringLiteral("Time"),
                                     QStringLiteral("Verdict")});
    struct Row {
      const char* call;
      const char* format;
      CellExecution execution;
      const char* note;
      double left;
      const char* lost;
      int overflows;
      const char* time;
      VerdictShape shape;
      const char* verdict;
    };
    const Row rows[] = {
        {"fc2/aten::linear#0", "float16", CellExecution::kEmulated, "", 0.5, "0.00 %", 11, "–", VerdictShape::kTight,
         "Tight, safe to 2¹⁹"},
        {"fc1/aten::linear#0", "float16", CellExecution::kEmulated, "", -2.0, "0.01 %", 6, "–", VerdictShape::kOverflow,
         "Overflows at 2¹⁹"},
        {"layer1.0.bn1/aten::batch_norm#0", "float16", CellExecution::kFollows, "follows", 6.3, "0.05 %", 2, "94 µs",
         VerdictShape::kFits, "Fits"},
        {"conv1/aten::conv2d#0", "float16", CellExecution::kEmulated, "", 8.7, "0.07 %", 0, "–", VerdictShape::kLost,
         "0.16 % subnormal; loses more below 2¹⁶"},
        {"layer2.0.conv1/aten::conv2d#0", "bfloat16", CellExecution::kEmulated, "changed at 850", 116.2, "0.00 %", 0,
         "–", VerdictShape::kFits, "Fits at any scale"},
        {"loss/aten::cross_entropy_loss#0", "float32", CellExecution::kNative, "", std::nan(""), "0.00 %", 0, "38 µs",
         VerdictShape::kNone, "float32 by the base list"},
        {"encoder.layers.11.attention.self.query/aten::linear#0", "float8_e4m3fn", CellExecution::kEmulated,
         "changed at 900", 3.25, "0.00 %", 0, "38 µs", VerdictShape::kCarriedOn, "NaN carried on"},
    };
    for (const Row& row : rows) {
      QList<QStandardItem*> items;
      for (int i = 0; i < 7; ++i) items << new QStandardItem;
      const auto text = [](const char* t) { return QString::fromUtf8(t); };
      items[0]->setData(text(row.call), CallRole);
      items[1]->setData(text(row.format), FormatRole);
      items[1]->setData(static_cast<int>(row.execution), ExecutionRole);
      items[1]->setData(text(row.note), NoteRole);
      items[1]->setData(text(row.note).startsWith(QStringLiteral("changed")), EditedRole);
      items[2]->setData(row.left, HeadroomRole);
      items[3]->setText(text(row.lost));
      items[4]->setText(QString::number(row.overflows));
      items[5]->setText(text(row.time));
      for (const int i : {3, 4, 5}) items[i]->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
      items[4]->setData(row.overflows > 8, AttentionRole);
      items[4]->setData(row.overflows == 0, QuietRole);
      items[3]->setData(text(row.lost) == QStringLiteral("0.00 %"), QuietRole);
      items[6]->setText(text(row.verdict));
      items[6]->setData(static_cast<int>(row.shape), VerdictRole);
      items[6]->setData(row.shape == VerdictShape::kTight, AttentionRole);
      items[6]->setData(row.shape == VerdictShape::kFits, QuietRole);
      model.appendRow(items);
    }
    QWidget page;
    auto* layout = new QVBoxLayout(&page);
    layout->setContentsMargins(0, 0, 0, 0);
    auto* top = new QHBoxLayout;
    top->setContentsMargins(12, 8, 12, 0);
    auto* filter = new FilterLine(QStringLiteral("Filter:  format:float16  op:conv  path:layer1"));
    filter->setMaximumWidth(360);
    top->addWidget(filter);
    top->addStretch();
    layout->addLayout(top);
    auto* table = new QTableView;
    styleTable(table);
    table->setModel(&model);
    table->setItemDelegateForColumn(0, new CallDelegate(table));
    table->setItemDelegateForColumn(1, new FormatDelegate(table));
    table->setItemDelegateForColumn(2, new HeadroomDelegate(table));
    table->setItemDelegateForColumn(6, new VerdictDelegate(table));
    const int widths[] = {320, 210, 190, 90, 100, 80};
    for (int i = 0; i < 6; ++i) table->setColumnWidth(i, widths[i]);
    table->selectRow(3);
    layout->addWidget(table);
    shoot(page, "table", {1280, 260});
    table->edit(model.index(2, 1));
    QTest::qWait(20);
    page.close();
  }

  void iconsAndControls() {
    useTheme();
    QWidget page;
    auto* layout = new QVBoxLayout(&page);
    auto* row = new QHBoxLayout;
    for (const QString& name : iconNames()) {
      auto* button = new QLabel;
      button->setPixmap(icon(name).pixmap(QSize(16, 16), 2.0));
      row->addWidget(button);
    }
    layout->addLayout(row);
    auto* buttons = new QHBoxLayout;
    auto* primary = new QPushButton(QStringLiteral("Apply fix"));
    setPrimary(primary);
    buttons->addWidget(primary);
    buttons->addWidget(new QPushButton(QStringLiteral("Try 200 steps…")));
    auto* off = new QPushButton(QStringLiteral("Set scale"));
    off->setEnabled(false);
    buttons->addWidget(off);
    auto* badge = new Badge(QStringLiteral("EMULATED"));
    buttons->addWidget(badge);
    auto* logo = new QLabel;
    logo->setPixmap(programIcon().pixmap(64, 64));
    buttons->addWidget(logo);
    layout->addLayout(buttons);
    shoot(page, "controls", {800, 120});
  }

  void emptyStates() {
    useTheme();
    LinePlot loss(nullptr);
    shoot(loss, "loss-empty", {480, 200});
  }

 private:
  void useTheme() {
    QFETCH_GLOBAL(int, theme);
    applyTheme(*qApp, static_cast<Theme>(theme));
  }

  void fill(ScalePlot& plot, int steps) {
    for (const auto& s : fakeRun(steps)) {
      plot.append(s.step, std::exp2(s.scaleLog2));
      if (s.skipped) plot.addMark({s.step, MarkKind::kSkipped, {}});
      if (s.backOff) plot.addMark({s.step, MarkKind::kBackOff, {}});
      if (s.growth) plot.addMark({s.step, MarkKind::kGrowth, {}});
      if (s.step == 851) {
        plot.addMark({s.step, MarkKind::kPolicyEdit, QStringLiteral("layer2.0.conv1 → bfloat16")});
      }
    }
  }

  void shoot(QWidget& widget, const char* name, QSize size) {
    QFETCH_GLOBAL(int, theme);
    widget.resize(size);
    widget.show();
    QVERIFY(QTest::qWaitForWindowExposed(&widget));
    QTest::qWait(50);
    const QImage image = widget.grab().toImage();
    QVERIFY(!image.isNull());
    // Something stands on the ground: more than one colour.
    const QRgb corner = image.pixel(1, 1);
    int others = 0;
    for (int y = 0; y < image.height(); y += 3) {
      for (int x = 0; x < image.width(); x += 3) others += image.pixel(x, y) != corner;
    }
    QVERIFY2(others > 20, name);
    const QString folder = qEnvironmentVariable("BINADE_SHOTS_DIR");
    if (folder.isEmpty()) return;
    QVERIFY(QDir().mkpath(folder));
    const QString file =
        QStringLiteral("%1/%2-%3.png")
            .arg(folder, QString::fromLatin1(name),
                 theme == static_cast<int>(Theme::kDark) ? QStringLiteral("dark") : QStringLiteral("light"));
    QVERIFY(image.save(file));
  }
};

BINADE_SUITE(Shots);

}  // namespace binade::views

#include "tst_shots.moc"
