// SPDX-License-Identifier: Apache-2.0
// gui.latency: the real window, offscreen, on a real engine that trains sample:mlp as fast as it can.
// - An overflow until its mark is painted. The engine stamps no times, and collects what it sends for at most 1/60 s.
//   A relay between the two programs notes when the bytes of the skipped step came from the engine; the figure is the
//   time from then to the end of the first paint of the loss-scale chart that has the mark, plus the whole 1/60 s.
// - An edit of the policy, from the call that the table makes to the paint of the chart that has the mark of the policy
//   which the engine has applied.
// - The longest time in which the window did not return to its event loop, meanwhile.
#include "app/docks/scale_dock.h"
#include "app/session/session.h"
#include "app/window/dock_set.h"
#include "app/window/main_window.h"
#include "tests/bench/engine_relay.h"
#include "tests/bench/ratio.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace {

using namespace binade;

constexpr int kOverflows = 150;
constexpr int kEdits = 100;
constexpr double kCollectedMs = 1000.0 / 60;
constexpr double kBarMs = 50;
constexpr int kPatienceMs = 120'000;

/// Notes when a chart had painted each of its marks.
class PaintClock : public QApplication {
 public:
  using QApplication::QApplication;

  void observe(const views::Plot* plot) { plot_ = plot; }
  /// The end of the first paint with the mark of that kind at each step, in ns of the shared clock.
  const std::map<std::int64_t, std::int64_t>& painted(views::MarkKind kind) { return painted_[kind]; }

  bool notify(QObject* receiver, QEvent* event) override {
    const bool paint = receiver == plot_ && event->type() == QEvent::Paint;
    const bool done = QApplication::notify(receiver, event);
    if (!paint) return done;
    const std::int64_t now = bench::shared_clock();
    // A mark is added near the end, not always behind it.
    const auto& marks = plot_->marks();
    for (std::size_t i = marks.size() - std::min(marks.size(), kNewest); i < marks.size(); ++i)
      painted_[marks[i].kind].emplace(marks[i].step, now);
    return done;
  }

 private:
  static constexpr std::size_t kNewest = 64;

  const views::Plot* plot_ = nullptr;
  std::map<views::MarkKind, std::map<std::int64_t, std::int64_t>> painted_;
};

bool wait(const std::function<bool()>& come) {
  QElapsedTimer since;
  since.start();
  QTimer wake;  // an engine that is gone sends no events
  wake.start(500);
  while (!come()) {
    if (since.elapsed() > kPatienceMs) return false;
    QCoreApplication::processEvents(QEventLoop::WaitForMoreEvents);
  }
  return true;
}

double percentile_95(std::vector<double> values) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(values.size() * 95 / 100);
  std::nth_element(values.begin(), at, values.end());
  return *at;
}

// The scale doubles every hundred steps, until a step overflows.
wire::RunConfig overflowing(const QString& folder) {
  wire::RunConfig config;
  config.name = "latency";
  config.model = "sample:mlp";
  config.batch = 16;
  config.data.inputs = {"float32[16,1,28,28]"};
  config.steps = 100'000'000;
  config.scaler.init_scale = 16'777'216;
  config.scaler.growth_interval = 100;
  config.run_file = folder.toStdString() + "/latency.binade";
  return config;
}

class Latency {
 public:
  Latency(PaintClock* clock, const QString& engine)
      : clock_(clock),
        settings_(folder_.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat),
        session_({QCoreApplication::applicationFilePath(), {QStringLiteral("relay"), engine, log()}}, &settings_),
        window_(&session_, &settings_) {
    window_.resize(1500, 950);
    window_.show();
    QObject::connect(&ticks_, &QTimer::timeout, &ticks_, [this] {
      pauses_.push_back(1e-6 * static_cast<double>(since_tick_.nsecsElapsed()));
      since_tick_.start();
    });
  }

  /// Returns whether all was measured.
  bool measure() {
    session_.startEngine();
    session_.startRun(overflowing(folder_.path()));
    if (!wait([this] { return session_.run().steps().size() > 200; })) return fails("the run did not begin");
    clock_->observe(window_.docks()->scale->plot());
    return overflows() && edits();
  }

 private:
  QString log() const { return folder_.filePath(QStringLiteral("skipped.txt")); }

  static bool fails(const char* why) {
    std::fprintf(stderr, "gui.latency: %s\n", why);
    return false;
  }

  bool overflows() {
    const auto& painted = clock_->painted(views::MarkKind::kSkipped);
    const std::int64_t first = session_.run().steps().back().step + 1;  // those before were not observed
    const auto count = [&] { return std::distance(painted.lower_bound(first), painted.end()); };
    QElapsedTimer whole;
    whole.start();
    pauses_.clear();
    since_tick_.start();
    ticks_.start(1);
    const bool come = wait([&] { return count() >= kOverflows; });
    ticks_.stop();
    const double seconds = 1e-9 * static_cast<double>(whole.nsecsElapsed());
    const auto steps = static_cast<double>(session_.run().steps().back().step + 1 - first);
    std::vector<double> times;
    for (const auto& [step, sent] : bench::skipped_steps(log().toStdString())) {
      const auto found = painted.find(step);
      if (step < first || found == painted.end()) continue;
      times.push_back(1e-6 * static_cast<double>(found->second - sent) + kCollectedMs);
    }
    if (!come || times.size() < 100) return fails("too few overflows were painted");
    const std::string rate = std::to_string(static_cast<int>(steps / seconds)) + " steps/s";
    print("overflow to mark painted, 95th percentile of " + std::to_string(times.size()) + ", " + rate, times, kBarMs);
    bench::print_figure("gui.latency", "longest pause of the window, " + rate,
                        bench::exactly(*std::max_element(pauses_.begin(), pauses_.end())), "ms");
    bench::print_figure("gui.latency", "pause of the window, 95th percentile, " + rate,
                        bench::exactly(percentile_95(pauses_)), "ms");
    return true;
  }

  bool edits() {
    const policy::SiteKey* key = nullptr;
    for (const wire::SiteInfo& site : session_.run().sites()) {
      const policy::Decision* decision = session_.run().decision(site.id);
      if (key == nullptr && decision != nullptr && decision->kind == policy::Decision::Kind::kFormat) key = &site.key;
    }
    if (key == nullptr) return fails("no op call can be edited");
    const auto& painted = clock_->painted(views::MarkKind::kPolicyEdit);
    std::vector<double> times;
    for (int edit = 0; edit < kEdits; ++edit) {
      // Between two edits, as a person makes them, the last frame has ended.
      QElapsedTimer rest;
      rest.start();
      while (rest.elapsed() < 60 + 7 * (edit % 20)) QCoreApplication::processEvents(QEventLoop::AllEvents, 5);
      const std::int64_t asked = bench::shared_clock();
      session_.document().setFormat({*key}, edit % 2 == 0 ? formats::kFloat32 : formats::kBFloat16);
      const int revision = session_.document().revision();
      std::int64_t step = -1;
      const bool come = wait([&] {
        const wire::PolicyApplied& newest = session_.run().policies().back();
        if (newest.revision == revision) step = newest.step;
        return step >= 0 && painted.contains(step);
      });
      if (!come) return fails("an edit was not acknowledged");
      times.push_back(1e-6 * static_cast<double>(painted.at(step) - asked));
    }
    print("edit acknowledged and painted, 95th percentile of " + std::to_string(kEdits), times, kBarMs);
    return true;
  }

  static void print(const std::string& what, const std::vector<double>& times, double bar) {
    // The spread is that of the single times: their median's interval.
    bench::print_figure("gui.latency", what, bench::exactly(percentile_95(times)), "ms", bar);
    bench::print_figure("gui.latency", what.substr(0, what.find(", 95th")) + ", median", bench::median_interval(times),
                        "ms");
  }

  PaintClock* clock_;
  QTemporaryDir folder_;
  QSettings settings_;
  app::Session session_;
  app::MainWindow window_;
  QTimer ticks_;
  QElapsedTimer since_tick_;
  std::vector<double> pauses_;  ///< ms between two turns of the event loop
};

}  // namespace

int main(int argc, char** argv) {
  if (argc == 4 && std::string(argv[1]) == "relay") return bench::relay(argv[2], argv[3]);
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  qputenv("OMP_NUM_THREADS", "1");  // the engine's waiting threads would take the window's time
  PaintClock clock(argc, argv);
  const QString engine = QCoreApplication::applicationDirPath() + QStringLiteral("/binade-engine");
  Latency latency(&clock, engine);
  return latency.measure() ? EXIT_SUCCESS : EXIT_FAILURE;
}
