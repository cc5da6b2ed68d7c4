// SPDX-License-Identifier: Apache-2.0
// Ranks as processes: what they exchange, and what they say when one is missing.
#include "engine/formats/error.h"
#include "engine/ranks/group.h"
#include "engine/ranks/heartbeat.h"
#include "engine/ranks/shared_file.h"
#include "engine/ranks/store.h"
#include "tests/ranks/rank_copies.h"
#include "tests/support/ports.h"
#include "tests/support/suite.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <ATen/ops/full.h>
#include <QTest>

#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <sstream>
#include <string>
#include <thread>

using namespace binade;
using std::chrono::milliseconds;

namespace {

constexpr milliseconds kShort{5000};  // a beat is late only if the process gets no CPU for longer than a second
constexpr double kSoon = 60;          // seconds: not without end, on a busy computer

ranks::Place placeAt(int rank, int count, int port) {
  ranks::Place place;
  place.rank = rank;
  place.ranks = count;
  place.address = "127.0.0.1";
  place.port = port;
  return place;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Ranks of a group with a short time-out; `last` runs on the highest rank in place of the second sum. Gives each
/// rank's seconds until it failed, and the message.
std::vector<std::string> withoutTheLast(int count, const std::function<void(ranks::Group&)>& last) {
  return test::inCopies(count, [&](int rank, int port) -> std::string {
    const auto group = ranks::Group::join(placeAt(rank, count, port), kShort);
    const at::Tensor values = at::full({1000}, 1.0);
    ranks::Group::Sum sum = group->sum(values);
    group->finish(sum);
    const auto start = std::chrono::steady_clock::now();
    try {
      if (rank == count - 1) last(*group);
      ranks::Group::Sum second = group->sum(values);
      group->finish(second);
    } catch (const Error& error) {
      group->fail(error.what());
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      return std::to_string(seconds) + " " + error.what();
    }
    group->leave();
    return "went on";
  });
}

}  // namespace

class RankGroup : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void exchanges_data() {
    QTest::addColumn<int>("count");
    QTest::newRow("2") << 2;
    QTest::newRow("4") << 4;
  }

  void exchanges() {
    QFETCH(int, count);
    const auto texts = test::onRanks(count, [](ranks::Group* group) {
      std::ostringstream text;
      const int rank = group->rank();
      const at::Tensor values = at::full({3}, rank + 1.0);
      ranks::Group::Sum sum = group->sum(values);
      group->finish(sum);
      text << values[0].item<double>();
      for (const auto& of : group->exchange({rank * 10.0, 7})) text << ' ' << of[0] + of[1];
      text << ' ' << group->broadcast(rank == 0 ? std::string("from the first") : std::string("unused"));
      text << '|' << group->broadcast(std::string()) << '|';
      for (const std::string& of : group->gather(std::string(static_cast<std::size_t>(rank), 'x'))) text << of << ',';
      return text.str();
    });
    for (int rank = 0; rank < count; ++rank) {
      std::string wanted = std::to_string(count * (count + 1) / 2);
      for (int i = 0; i < count; ++i) wanted += " " + std::to_string(10 * i + 7);
      wanted += " from the first||";
      for (int i = 0; rank == 0 && i < count; ++i) wanted += std::string(static_cast<std::size_t>(i), 'x') + ",";
      QCOMPARE(texts[static_cast<std::size_t>(rank)], wanted);
    }
  }

  void aFileOfRank0IsReadEverywhere() {
    const std::string file = test::temporaryFolder().toStdString() + "/state";
    std::string content(200'000, 'a');
    content += "end";
    std::ofstream(file, std::ios::binary) << content;
    const auto texts = test::onRanks(3, [&](ranks::Group* group) {
      const ranks::SharedFile shared(*group, group->rank() == 0 ? file : std::string("not read"));
      std::ifstream input(shared.path(), std::ios::binary);
      std::ostringstream read;
      read << input.rdbuf();
      const ranks::SharedFile none(*group, {});
      return read.str() == content && none.path().empty() ? std::string("same") : "other: " + shared.path();
    });
    for (const std::string& text : texts) QCOMPARE(text, std::string("same"));
  }

  void aKilledRankIsNamed() {
    const auto texts = withoutTheLast(3, [](ranks::Group&) { ::kill(::getpid(), SIGKILL); });
    for (std::size_t rank = 0; rank < 2; ++rank) {
      QVERIFY2(contains(texts[rank], "Rank 2 (host "), texts[rank].c_str());
      QVERIFY2(contains(texts[rank], "is missing"), texts[rank].c_str());
      QVERIFY2(!contains(texts[rank], "Rank 0 (") && !contains(texts[rank], "ank 1 ("), texts[rank].c_str());
      QVERIFY2(std::stod(texts[rank]) < kSoon, texts[rank].c_str());
    }
  }

  /// Gloo may write to the connection of a rank that has ended. SIGPIPE would then end the process without a word.
  void aBrokenConnectionEndsNoRank() {
    const auto texts = test::onRanks(2, [](ranks::Group*) {
      std::array<int, 2> ends{};
      if (::pipe(ends.data()) != 0) return std::string("no pipe");
      ::close(ends[0]);
      return std::string(::write(ends[1], "x", 1) == -1 && errno == EPIPE ? "goes on" : "was not refused");
    });
    for (const std::string& text : texts) QCOMPARE(text, std::string("goes on"));
  }

  /// The kernel keeps the connections of a stopped process open, so only its beats tell.
  void aStoppedRankIsNamed() {
    const auto texts = withoutTheLast(2, [](ranks::Group&) {
      const pid_t self = ::getpid();
      if (::fork() == 0) {
        std::this_thread::sleep_for(4 * kShort);
        ::kill(self, SIGKILL);
        ::_exit(0);
      }
      ::raise(SIGSTOP);
    });
    QVERIFY2(contains(texts[0], "Rank 1 (host ") && contains(texts[0], "is missing"), texts[0].c_str());
  }

  void aRankThatFailsGivesItsReason() {
    const auto texts = withoutTheLast(2, [](ranks::Group&) { throw Error(ErrorCode::kBadRun, "the disk is full"); });
    QVERIFY2(contains(texts[0], "Rank 1 (host "), texts[0].c_str());
    QVERIFY2(contains(texts[0], "has ended the run: the disk is full"), texts[0].c_str());
  }

  void aRankThatRefusesItsInputHasTheNextStep() {
    const auto texts = test::inCopies(2, [](int rank, int port) -> std::string {
      const auto group = ranks::Group::join(placeAt(rank, 2, port), kShort);
      if (rank == 0) {
        group->fail("cnn.pt does not exist", /*begun=*/false);
        return {};
      }
      try {
        group->broadcast(std::string());
      } catch (const Error& error) {
        return std::string(error.what()) + " | " + error.hint;
      }
      return "went on";
    });
    QVERIFY2(contains(texts[1], "Rank 0 (host "), texts[1].c_str());
    QVERIFY2(contains(texts[1], "has ended the run: cnn.pt does not exist | See the message of rank 0."),
             texts[1].c_str());
  }

  void aRankThatIsBehindIsNamed() {
    const auto texts = withoutTheLast(2, [](ranks::Group&) { std::this_thread::sleep_for(3 * kShort); });
    QVERIFY2(contains(texts[0], "Rank 1 (host ") && contains(texts[0], "lives, but has not reached"), texts[0].c_str());
  }

  void longerWorkIsWaitedFor() {
    const auto texts = withoutTheLast(2, [](ranks::Group& group) {
      const ranks::Group::Work work(&group, "evaluation");
      std::this_thread::sleep_for(3 * kShort);
    });
    for (const std::string& text : texts) QCOMPARE(text, std::string("went on"));
  }

  void aDiagnosisThatHangsIsNamed() {
    static constexpr milliseconds kShorter{2000};
    const auto texts = test::inCopies(2, [](int rank, int port) -> std::string {
      const auto group = ranks::Group::join(placeAt(rank, 2, port), kShorter);
      if (rank == 1) {
        const ranks::Group::Work work(group.get(), ranks::kDiagnosisWork);
        std::this_thread::sleep_for(15 * kShorter);
        return {};
      }
      const auto start = std::chrono::steady_clock::now();
      try {
        group->broadcast(std::string("for the other"));
        group->exchange({1.0});
      } catch (const Error& error) {
        const bool early = std::chrono::steady_clock::now() - start < 10 * kShorter;
        return (early ? "early: " : "") + std::string(error.what());
      }
      return "went on";
    });
    QVERIFY2(
        texts[0].starts_with("Rank 1 (host ") && contains(texts[0], "has not explained a step within 10 times 2 s"),
        texts[0].c_str());
  }

  void aRankThatNeverStartsIsNamed() {
    const auto texts = test::inCopies(2, [](int rank, int port) -> std::string {
      if (rank == 1) return {};
      const auto group = ranks::Group::join(placeAt(rank, 2, port), kShort);
      return "joined";
    });
    QVERIFY2(contains(texts[0], "error: Rank 1 has not started within 5 s"), texts[0].c_str());
  }

  void aTakenPortIsNamed() {
    const auto texts = test::inCopies(1, [](int, int port) -> std::string {
      const ranks::Store store = ranks::Store::host("127.0.0.1", port);
      const auto group = ranks::Group::join(placeAt(0, 2, port), kShort);
      return "joined";
    });
    QVERIFY2(contains(texts[0], "error: Port "), texts[0].c_str());
    QVERIFY2(contains(texts[0], " is in use"), texts[0].c_str());
  }

  void anotherProgramAtThePortIsNoStore() {
    const test::TakenPort silent(test::TakenPort::Listens::kNo);
    const auto texts = test::inCopies(1, [&](int, int) -> std::string {
      const auto group = ranks::Group::join(placeAt(1, 2, silent.number()), kShort);
      return "joined";
    });
    QVERIFY2(contains(texts[0], "error: Rank 1: no ranks' store answers at 127.0.0.1:"), texts[0].c_str());
    QVERIFY2(!contains(texts[0], "something accepts the connection"), texts[0].c_str());
  }

  // A web server waits for the rest of what it takes for a request.
  void aProgramThatAcceptsAndNeverAnswersIsNoStore() {
    const auto texts = test::inCopies(1, [](int, int) -> std::string {
      const int listening = ::socket(AF_INET, SOCK_STREAM, 0);
      sockaddr_in own{};
      own.sin_family = AF_INET;
      own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
      socklen_t size = sizeof own;
      const bool open = ::bind(listening, reinterpret_cast<sockaddr*>(&own), size) == 0 &&
                        ::listen(listening, 4) == 0 &&
                        ::getsockname(listening, reinterpret_cast<sockaddr*>(&own), &size) == 0;
      if (!open) return "no socket";
      const auto group = ranks::Group::join(placeAt(1, 2, ntohs(own.sin_port)), kShort);
      return "joined";
    });
    QVERIFY2(contains(texts[0], "error: Rank 1: no ranks' store answers at 127.0.0.1:"), texts[0].c_str());
    QVERIFY2(contains(texts[0], "does not answer as a ranks' store does"), texts[0].c_str());
  }
};

BINADE_SUITE(RankGroup);
#include "tst_group.moc"
