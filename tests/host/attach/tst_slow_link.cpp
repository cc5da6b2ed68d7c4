// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/backlog.h"
#include "engine/host/serve/link_gauge.h"
#include "tests/host/attach/slow_link.h"
#include "tests/host/attach/training.h"
#include "tests/record/run_file.h"
#include "tests/support/suite.h"

#include <unistd.h>

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

using namespace binade;
using host::LinkGauge;
using test::NotedPeer;

namespace {

constexpr auto kMs = [](int count) { return std::chrono::milliseconds(count); };

/// A link in numbers only, 100 ms each way, and a training of 200 steps a second that is observed at every step.
struct Modelled {
  double slowest_answer = 0;  ///< seconds, after two seconds to find the link's rate
  double used = 0;            ///< share of what the link takes
};

Modelled onLink(double bytes_per_second, std::size_t statistics, int jitter_ms) {
  constexpr int kSeconds = 20;
  constexpr std::size_t kStep = 300, kSmall = 64;  // bytes of a step without statistics, and of a mark or an answer
  struct Mark {
    LinkGauge::Time back;
    std::int64_t number;
  };
  LinkGauge::Time now{};
  LinkGauge gauge({.marks = true}, now);
  std::deque<Mark> marks;
  LinkGauge::Time free = now;
  std::size_t sent = 0, steps = 0;
  std::uint32_t random = 1;
  Modelled made;
  const auto send = [&](std::size_t bytes) {
    gauge.sent(bytes, now);
    sent += bytes;
    const std::chrono::duration<double> takes(static_cast<double>(bytes) / bytes_per_second);
    free = std::max(free, now) + std::chrono::duration_cast<LinkGauge::Clock::duration>(takes);
  };
  const auto mark = [&] {
    const auto made_mark = gauge.mark(now);
    if (!made_mark) return;
    send(kSmall);
    random = random * 1664525u + 1013904223u;
    const int late = jitter_ms == 0 ? 0 : static_cast<int>((random >> 16) % static_cast<unsigned>(jitter_ms));
    marks.push_back({free + kMs(200 + late), made_mark->number});
  };
  for (int ms = 0; ms < 1000 * kSeconds; ++ms, now += kMs(1)) {
    while (!marks.empty() && marks.front().back <= now) {
      gauge.seen(marks.front().number, now);
      marks.pop_front();
    }
    if (ms % 5 == 0) ++steps;
    if (ms % 777 == 0) {  // an edit's answer overtakes
      send(kSmall);
      mark();
      if (ms > 2000)
        made.slowest_answer = std::max(made.slowest_answer, std::chrono::duration<double>(free - now).count() + 0.2);
    }
    while (steps > 0 && gauge.wait(now) <= LinkGauge::Clock::duration::zero()) {
      const std::size_t some = std::min<std::size_t>(steps, host::kSmallBatches.steps);
      steps -= some;
      send(some * kStep + (steps == 0 ? statistics : 0));
      if (gauge.mark_is_due()) mark();
    }
    if (steps == 0) mark();
  }
  made.used = static_cast<double>(sent) / kSeconds / bytes_per_second;
  return made;
}

/// Bytes a second that a watcher on a fast link receives of the training.
double madeInASecond(const test::AttachPlace& place) {
  test::Bridged bridge(place, test::attachCommand());
  NotedPeer watcher(::dup(bridge.from), ::dup(bridge.to));
  wire::Hello hello;
  hello.watch = true;
  watcher.response(watcher.ask("engine.hello", wire::encode(hello)));
  if (!watcher.waitForMethod("attach.caught_up")) return 0;
  const auto begin = NotedPeer::Clock::now();
  const std::size_t before = watcher.bytes();
  std::this_thread::sleep_for(kMs(3000));
  const std::chrono::duration<double> took = NotedPeer::Clock::now() - begin;
  return static_cast<double>(watcher.bytes() - before) / took.count();
}

}  // namespace

/// At most 10 Mbit/s, and 100 ms each way.
class SlowLink : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void answersAreFastAndTheLinkIsUsed_data();
  void answersAreFastAndTheLinkIsUsed();
  void theGaugeFindsTheRate();
  void withoutNewsNothingIsSent();
  void theGaugeKeepsAFixedRate();
  void withoutMarksNothingIsMeasured();
  void editsAreAnsweredAndChartsAreLive();
};

void SlowLink::answersAreFastAndTheLinkIsUsed_data() {
  QTest::addColumn<double>("rate");
  QTest::addColumn<int>("statistics");
  QTest::addColumn<int>("jitter");
  for (const int jitter : {0, 30}) {
    const auto row = [jitter](const char* name, double rate, int statistics) {
      QTest::addRow("%s, jitter %d ms", name, jitter) << rate << statistics << jitter;
    };
    row("10 Mbit/s", 1.25e6, 20'000);
    row("10 Mbit/s, large model", 1.25e6, 100'000);
    row("2 Mbit/s", 250e3, 20'000);
    row("1 Mbit/s", 125e3, 3'000);
  }
}

void SlowLink::answersAreFastAndTheLinkIsUsed() {
  QFETCH(double, rate);
  QFETCH(int, statistics);
  QFETCH(int, jitter);
  const Modelled made = onLink(rate, static_cast<std::size_t>(statistics), jitter);
  QVERIFY2(made.slowest_answer < 0.45, qPrintable(QString::number(made.slowest_answer)));
  QVERIFY2(made.used > 0.9, qPrintable(QString::number(made.used)));
}

void SlowLink::theGaugeFindsTheRate() {
  LinkGauge::Time now{};
  LinkGauge gauge({.marks = true}, now);
  // A link of 1 MB/s that always has something to do.
  for (int i = 0; i < 100; ++i) {
    gauge.sent(50'000, now);
    const auto mark = gauge.mark(now);
    QVERIFY(mark.has_value());
    now += kMs(50);
    gauge.seen(mark->number, now + (i == 0 ? kMs(0) : kMs(50)));
    now += kMs(50);
  }
  QVERIFY2(gauge.bytes_per_second() > 0.9e6 && gauge.bytes_per_second() < 1.1e6,
           qPrintable(QString::number(gauge.bytes_per_second())));
}

// A link that is stuck gets nothing more, except answers.
void SlowLink::withoutNewsNothingIsSent() {
  LinkGauge::Time now{};
  LinkGauge gauge({.marks = true}, now);
  std::size_t sent = 0;
  for (int ms = 0; ms < 60'000; ++ms, now += kMs(1)) {
    while (gauge.wait(now) <= LinkGauge::Clock::duration::zero()) {
      gauge.sent(1000, now);
      sent += 1000;
      gauge.mark(now);
    }
  }
  QVERIFY2(sent < 40'000, qPrintable(QString::number(sent)));
  QVERIFY(gauge.is_slow(now));
  QVERIFY(gauge.wait_of_answer(now) == LinkGauge::Clock::duration::zero());
}

void SlowLink::theGaugeKeepsAFixedRate() {
  LinkGauge::Time now{};
  LinkGauge gauge({.bytes_per_second = 100'000}, now);
  std::size_t sent = 0;
  for (int ms = 0; ms < 5000; ++ms, now += kMs(1)) {
    while (gauge.wait(now) <= LinkGauge::Clock::duration::zero()) {
      gauge.sent(1000, now);
      sent += 1000;
    }
  }
  QVERIFY2(sent > 450'000 && sent < 520'000, qPrintable(QString::number(sent)));
}

void SlowLink::withoutMarksNothingIsMeasured() {
  LinkGauge::Time now{};
  LinkGauge gauge({}, now);
  gauge.sent(100u << 20, now);
  QVERIFY(!gauge.mark(now));
  QVERIFY(gauge.wait(now) == LinkGauge::Clock::duration::zero());
  QVERIFY(!gauge.is_slow(now));
}

void SlowLink::editsAreAnsweredAndChartsAreLive() {
  const test::AttachPlace place;
  // Statistics of every step, and a link that takes half of them: 10 Mbit/s where the machine trains fast.
  test::Training training(place, {{QStringLiteral("observe"), QJsonObject{{QStringLiteral("every"), 1}}}});
  QVERIFY2(training.hasBegun(), training.errors());
  const double made = madeInASecond(place);
  QVERIFY(made > 0);
  test::SlowWire::Shape narrow;
  narrow.bytes_per_second = std::min(narrow.bytes_per_second, made / 2);
  test::Bridged bridge(place, test::attachCommand());
  int near_in[2], near_out[2];
  QVERIFY(::pipe(near_in) == 0 && ::pipe(near_out) == 0);
  const test::SlowWire down(::dup(bridge.from), near_in[1], narrow), up(near_out[0], ::dup(bridge.to), {});
  NotedPeer explorer(near_in[0], near_out[1]);

  wire::Hello hello;
  hello.link = wire::LinkLimits{.marks = true};
  QVERIFY(explorer.response(explorer.ask("engine.hello", wire::encode(hello))));
  QVERIFY(explorer.waitForMethod("attach.caught_up"));

  // What the training prints has the time at which a step was done.
  std::map<std::int64_t, NotedPeer::Clock::time_point> done;
  std::vector<double> answers;
  QByteArray line;
  QFile output(training.output());
  QVERIFY(output.open(QIODevice::ReadOnly));
  QVERIFY(output.seek(output.size()));
  const auto begin = NotedPeer::Clock::now();
  auto next_edit = begin + std::chrono::seconds(2);
  std::optional<std::int64_t> asked;
  // Longer on a machine that trains slowly.
  const auto is_enough = [&] { return answers.size() >= 5 && done.size() >= 60; };
  for (;;) {
    const auto lasted = NotedPeer::Clock::now() - begin;
    if (lasted > std::chrono::seconds(60) || (lasted > std::chrono::seconds(12) && is_enough())) break;
    std::this_thread::sleep_for(kMs(10));
    line += output.readAll();
    const auto now = NotedPeer::Clock::now();
    qsizetype begin_of_line = 0;
    for (qsizetype end = 0; (end = line.indexOf('\n', begin_of_line)) >= 0; begin_of_line = end + 1) {
      const QJsonObject object = QJsonDocument::fromJson(line.mid(begin_of_line, end - begin_of_line)).object();
      if (object.value(QLatin1String("event")).toString() == QLatin1String("step")) {
        done.emplace(object.value(QLatin1String("step")).toInteger(), now);
      }
    }
    line.remove(0, begin_of_line);
    if (!asked && now >= next_edit) {
      next_edit += std::chrono::seconds(1);
      const double scale = 1024.0 * static_cast<double>(answers.size() + 1);
      asked = explorer.ask("scaler.set", wire::encode(wire::SetScale{scale}));
    }
    if (!asked || !explorer.timeOfAnswer(*asked)) continue;
    QVERIFY(!test::failureIn(explorer.response(*asked)));
    answers.push_back(explorer.timeOfAnswer(*asked)->count());
    asked.reset();
  }
  std::vector<double> behind;
  const auto arrivals = explorer.arrivals();
  for (const auto& [step, at] : arrivals) {
    const auto found = done.find(step);
    if (found == done.end() || found->second < begin + std::chrono::seconds(2)) continue;
    behind.push_back(std::chrono::duration<double>(at - found->second).count());
  }
  QVERIFY(answers.size() >= 5 && behind.size() >= 20);
  std::sort(answers.begin(), answers.end());
  std::sort(behind.begin(), behind.end());
  const auto details = explorer.details();
  qInfo(
      "%zu edits answered after %.2f s (median) and %.2f s (most); %zu steps arrived %.2f s (median) and %.2f s "
      "(most) after the training printed them; %lld statistics, %lld steps and %lld reports left out",
      answers.size(), answers[answers.size() / 2], answers.back(), behind.size(), behind[behind.size() / 2],
      behind.back(), static_cast<long long>(details.empty() ? 0 : details.back().statistics),
      static_cast<long long>(details.empty() ? 0 : details.back().steps),
      static_cast<long long>(details.empty() ? 0 : details.back().reports));
  // The bars are 0.5 s and 1 s; a busy test machine gets more.
  QVERIFY(answers[answers.size() / 2] < 1.5);
  QVERIFY(behind[behind.size() / 2] < 2.5);
  QVERIFY(!details.empty() && details.back().statistics > 0);
  QCOMPARE(details.back().steps, std::int64_t{0});
  const auto steps = explorer.steps();
  const auto live =
      std::find_if(steps.begin(), steps.end(), [&](const auto& step) { return done.contains(step.step); });
  QCOMPARE(test::gapsIn({live, steps.end()}), std::size_t{0});
  training.kill();
}

BINADE_SUITE(SlowLink);
#include "tst_slow_link.moc"
