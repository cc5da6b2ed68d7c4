// SPDX-License-Identifier: Apache-2.0
// gui.open: how long the explorer takes, offscreen, from the request to open a run file until the window has painted
// the run, and how much memory the process then had at its peak. Every file is opened by a process of its own. The
// longest time in which the GUI thread did not return to its event loop is printed to compare with.
#include "app/session/session.h"
#include "app/window/main_window.h"
#include "engine/record/run_writer.h"
#include "tests/app/fake_run.h"
#include "tests/app/wait_opened.h"
#include "tests/bench/ratio.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFile>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QSettings>
#include <QTemporaryDir>
#include <QTimer>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using namespace binade;

constexpr int kRuns = 7;
constexpr double kMostSeconds = 1;
constexpr double kMostMegabytes = 300;

// A million steps, with statistics of all tensors in every 32nd, as the engine observes by default, and an event
// wherever a step overflowed.
void writeManySteps(const QString& file) {
  test::FakeRun fake;
  wire::RunConfig config = test::FakeRun::config();
  config.steps = 1'000'000;
  fake.restart(config);
  record::RunWriter writer(file.toStdString());
  writer.add(fake.started());
  for (std::int64_t step = 0; step < config.steps; ++step) {
    wire::StepRecord record = fake.next();
    if (step == 2000) fake.neverGrow();
    if (step % 32 != 0) record.observations.clear();
    writer.add(std::move(record));
    if (fake.event() != nullptr) writer.add(*fake.event());
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, config.steps, "", ""});
  writer.close();
}

// A thousand times the op calls of the made-up run, of which every tenth step has statistics of all tensors.
void writeManyCalls(const QString& file) {
  constexpr int kCopies = 770;
  test::FakeRun fake;
  wire::RunStarted started = fake.started();
  const std::vector<wire::SiteInfo> sites = started.model.sites;
  const std::vector<policy::Decision> decisions = started.policy.decisions;
  const int a_copy = static_cast<int>(sites.size());
  for (int copy = 1; copy < kCopies; ++copy) {
    for (wire::SiteInfo site : sites) {
      site.id += copy * a_copy;
      site.key.path = "blocks." + std::to_string(copy) + (site.key.path.empty() ? "" : "." + site.key.path);
      started.model.sites.push_back(std::move(site));
    }
    started.policy.decisions.insert(started.policy.decisions.end(), decisions.begin(), decisions.end());
  }
  record::RunWriter writer(file.toStdString());
  writer.add(started);
  constexpr int kIds = 1000;  // between those of two copies
  for (int step = 0; step < 200; ++step) {
    wire::StepRecord record = fake.next();
    if (step % 10 != 0) record.observations.clear();
    const wire::StepRecord one = record;
    for (int copy = 1; copy < kCopies; ++copy) {
      for (wire::WatchedTensor tensor : one.new_tensors) {
        tensor.id += copy * kIds;
        tensor.site += copy * a_copy;
        record.new_tensors.push_back(std::move(tensor));
      }
      for (wire::Observation observation : one.observations) {
        observation.tensor += copy * kIds;
        record.observations.push_back(std::move(observation));
      }
    }
    writer.add(std::move(record));
  }
  writer.add(wire::Finished{wire::Outcome::kCompleted, 200, "", ""});
  writer.close();
}

/// The most memory that this process had, in MB.
double peakMegabytes() {
  QFile status(QStringLiteral("/proc/self/status"));
  if (!status.open(QIODevice::ReadOnly)) return 0;
  for (const QByteArray& line : status.readAll().split('\n')) {
    if (line.startsWith("VmHWM:")) return line.mid(6).trimmed().split(' ').first().toDouble() / 1024;
  }
  return 0;
}

/// Opens the file in a window of its own and prints what that took.
int openOne(const QString& file) {
  const QTemporaryDir folder;
  QSettings settings(folder.filePath(QStringLiteral("settings.ini")), QSettings::IniFormat);
  app::Session session({}, &settings);
  app::MainWindow window(&session, &settings);
  window.resize(1500, 950);
  window.show();
  QApplication::processEvents();

  double longest = 0;
  QElapsedTimer since, whole;
  QTimer ticks;
  QObject::connect(&ticks, &QTimer::timeout, &ticks, [&] {
    longest = std::max(longest, static_cast<double>(since.nsecsElapsed()) / 1e9);
    since.start();
  });
  ticks.start(5);
  since.start();
  whole.start();
  session.openFile(file);
  test::waitOpened(session);
  QApplication::processEvents();
  window.repaint();
  const double shown = static_cast<double>(whole.nsecsElapsed()) / 1e9;
  if (session.run().steps().empty()) {
    std::fprintf(stderr, "%s was not opened\n", qPrintable(file));
    return EXIT_FAILURE;
  }
  const QJsonObject figures{{QStringLiteral("seconds"), shown},
                            {QStringLiteral("longest"), longest},
                            {QStringLiteral("megabytes"), peakMegabytes()}};
  std::printf("%s\n", QJsonDocument(figures).toJson(QJsonDocument::Compact).constData());
  return EXIT_SUCCESS;
}

bench::Interval of(std::vector<double> values) {
  return bench::median_interval(std::move(values));
}

bool openOften(const QString& file, const std::string& what) {
  std::vector<double> seconds, longest, megabytes;
  for (int run = 0; run < kRuns; ++run) {
    QProcess process;
    process.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    process.start(QCoreApplication::applicationFilePath(), {file});
    if (!process.waitForFinished(600'000) || process.exitCode() != EXIT_SUCCESS) return false;
    const QJsonObject figures = QJsonDocument::fromJson(process.readAllStandardOutput()).object();
    seconds.push_back(figures[QStringLiteral("seconds")].toDouble());
    longest.push_back(1000 * figures[QStringLiteral("longest")].toDouble());
    megabytes.push_back(figures[QStringLiteral("megabytes")].toDouble());
  }
  bench::print_figure("gui.open", what + ", until painted", of(seconds), "s", kMostSeconds);
  bench::print_figure("gui.open", what + ", longest pause of the window", of(longest), "ms");
  bench::print_figure("gui.open", what + ", peak memory", of(megabytes), "MB", kMostMegabytes);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  if (qEnvironmentVariableIsEmpty("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
  QApplication application(argc, argv);
  if (argc > 1) return openOne(QString::fromLocal8Bit(argv[1]));
  const QTemporaryDir folder;
  const QString steps = folder.filePath(QStringLiteral("steps.binade"));
  const QString calls = folder.filePath(QStringLiteral("calls.binade"));
  writeManySteps(steps);
  writeManyCalls(calls);
  const bool opened = openOften(steps, "a run file of 1,000,000 steps") && openOften(calls, "a run of 10,010 op calls");
  return opened ? EXIT_SUCCESS : EXIT_FAILURE;
}
