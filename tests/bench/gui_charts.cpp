// SPDX-License-Identifier: Apache-2.0
//
// bench_gui_charts: eight charts of ten series with a million points each, in a window that is never shown on a screen,
// while every frame adds steps. Times are of processor time where a bar is a share of a core, since other programs must
// not fail it, and of wall time where it is a frame's.
#include "tests/bench/ratio.h"
#include "views/plot/line_plot.h"
#include "views/theme.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QGridLayout>
#include <QWindow>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace binade::bench {

namespace {

constexpr int kCharts = 8;
constexpr int kSeries = 10;
constexpr std::int64_t kPoints = 1'000'000;
constexpr std::int64_t kStepsAFrame = 16;  // about 1,000 steps a second
constexpr int kFrames = 240;
constexpr int kWarmUp = 20;
constexpr double kFrameMs = 1000.0 / 60;
constexpr QSize kWindow{1600, 1000};

double processor_ms() {
  std::timespec time{};
  ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return 1e3 * static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_nsec);
}

/// A window with charts of noisy series; all share a step axis.
class Charts {
 public:
  Charts() {
    auto* grid = new QGridLayout(&window_);
    for (int i = 0; i < kCharts; ++i) {
      auto* plot = new views::LinePlot(&axis_);
      plot->setTitle(QStringLiteral("Chart %1").arg(i + 1));
      for (int s = 0; s < kSeries; ++s) plot->addSeries({.name = QStringLiteral("series %1").arg(s + 1), .unit = {}});
      plots_.push_back(plot);
      grid->addWidget(plot, i / 2, i % 2);
    }
    window_.resize(kWindow);
    add(kPoints);
    window_.show();
    // A window that is not exposed yet paints nothing, and would look very fast.
    while (!window_.windowHandle()->isExposed()) QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  }

  /// Appends steps to all series.
  void add(std::int64_t steps) {
    for (const std::int64_t end = next_ + steps; next_ < end; ++next_) {
      const double drift = std::exp(-static_cast<double>(next_) / 2e5);
      for (views::LinePlot* plot : plots_) {
        for (int s = 0; s < kSeries; ++s) plot->append(s, next_, s * 0.3 + drift + 0.2 * noise_(random_));
      }
    }
  }

  void paint() {
    for (views::LinePlot* plot : plots_) plot->repaint();
  }
  views::StepAxis& axis() { return axis_; }

 private:
  std::mt19937 random_{7};
  std::normal_distribution<double> noise_{0, 1};
  views::StepAxis axis_;
  QWidget window_;
  std::vector<views::LinePlot*> plots_;
  std::int64_t next_ = 0;
};

struct Frames {
  std::vector<double> wall;       ///< ms
  std::vector<double> processor;  ///< ms
};

/// Times frames: `change`, then all charts painted.
Frames frames(Charts& charts, const std::function<void(int frame)>& change) {
  Frames times;
  for (int i = -kWarmUp; i < kFrames; ++i) {
    QElapsedTimer timer;
    timer.start();
    const double before = processor_ms();
    change(i);
    charts.paint();
    if (i < 0) continue;
    times.processor.push_back(processor_ms() - before);
    times.wall.push_back(1e-6 * static_cast<double>(timer.nsecsElapsed()));
  }
  return times;
}

double percentile_95(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 95 / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

void print_frames(const std::string& what, const Frames& times) {
  print_figure("gui.charts", what + ", a frame, 95th percentile", exactly(percentile_95(times.wall)), "ms", 16);
  Interval share = median_interval(times.processor);
  for (double* each : {&share.median, &share.low, &share.high}) *each *= 100 / kFrameMs;
  print_figure("gui.charts", what + ", share of a core at 60 frames a second", share, "%", 60);
}

int main_of() {
  views::applyTheme(*qApp, views::Theme::kLight);
  Charts charts;
  const std::string size = "8 charts x 10 series x 1 M points";
  print_frames(size + ", live, all steps", frames(charts, [&](int) { charts.add(kStepsAFrame); }));
  const auto end = static_cast<double>(charts.axis().latest());
  charts.axis().setRange({end - 200'000, end + 1});
  print_frames(size + ", live, the latest 200,000 steps", frames(charts, [&](int) { charts.add(kStepsAFrame); }));
  charts.axis().setRange({400'000, 600'000});
  print_frames(size + ", panned", frames(charts, [&](int) { charts.axis().pan(500); }));
  charts.axis().fit();
  print_frames(size + ", zoomed",
               frames(charts, [&](int frame) { charts.axis().zoom(frame % 40 < 20 ? 1.15 : 1 / 1.15, 500'000); }));
  return 0;
}

}  // namespace

}  // namespace binade::bench

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  const QApplication application(argc, argv);
  return binade::bench::main_of();
}
