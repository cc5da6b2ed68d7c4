// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/graph/failure.h"
#include "engine/graph/flat_graph.h"
#include "engine/graph/memory_guard.h"
#include "engine/graph/model.h"
#include "tests/graph/text_model.h"
#include "tests/graph/zip_records.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>

using namespace binade;

namespace {

/// More than is left, whatever processes beside this one give back meanwhile.
std::uint64_t tooMuch() {
  return graph::memory_left().value_or(0) + (std::uint64_t{4} << 30);
}

}  // namespace

class MemoryGuard : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void whatTheSystemSaysIsRead() {
    const auto left = graph::memory_left_by(
        "MemTotal:       24684096 kB\nMemFree:        17959972 kB\nMemAvailable:   2000 kB\nSwapTotal: 9 kB\nSwapFree: "
        " "
        "     24 kB\n");
    QVERIFY(left.has_value());
    QCOMPARE(*left, std::uint64_t{2024 * 1024});
    QVERIFY(!graph::memory_left_by("MemTotal: 24684096 kB\nMemFree: 1 kB\n").has_value());
    QVERIFY(!graph::memory_left_by(std::string()).has_value());
    QCOMPARE(graph::memory_left_by("MemAvailable: 3 kB").value_or(0), std::uint64_t{3 * 1024});
  }

  void whatAGroupSaysIsRead() {
    const std::string stat = "anon 5\ninactive_file 200\nactive_file 100\nworkingset 7\n";
    QCOMPARE(graph::memory_left_by("1000\n", "700\n", stat).value_or(0), std::uint64_t{600});
    QCOMPARE(graph::memory_left_by("1000\n", "700\n", "").value_or(0), std::uint64_t{300});
    QCOMPARE(graph::memory_left_by("1000\n", "1500\n", "").value_or(1), std::uint64_t{0});
    QVERIFY(!graph::memory_left_by("max\n", "700\n", stat).has_value());
    QVERIFY(!graph::memory_left_by("", "", "").has_value());
  }

  /// The system would give this memory, and end the process once it is written.
  void aTensorThatWouldTakeAllMemoryIsRefused() {
    const std::optional<std::uint64_t> left = graph::memory_left();
    QVERIFY(left.has_value());
    graph::guard_memory();
    try {
      at::empty({static_cast<std::int64_t>(tooMuch())}, at::kByte);
      QFAIL("fits");
    } catch (const std::exception& error) {
      QVERIFY2(graph::is_out_of_memory(error), error.what());
      QVERIFY2(QString::fromUtf8(error.what()).contains(QLatin1String(" are left")), error.what());
    }
    at::empty({static_cast<std::int64_t>(*left / 8)}, at::kByte);
  }

  void aModelThatAsksForAllMemoryIsTold_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<qulonglong>("bytes");
    QTest::addColumn<bool>("known");
    const auto row = [](const char* expression, qulonglong bytes, bool known = true) {
      QTest::newRow(expression) << QString::fromUtf8(expression) << bytes << known;
    };
    row("torch.full([n], 1.)", 4, false);
    row("torch.linspace(0, 1, n)", 4, false);
    row("torch.logspace(0, 1, n)", 4, false);
    row("torch.randint(3, [n])", 8);
    row("torch.new_ones(x, [n])", 4);
    row("torch.fft_rfftfreq(n)", 2);
    row("torch.repeat(x, [n, 1])", 24);
  }
  void aModelThatAsksForAllMemoryIsTold() {
    QFETCH(QString, expression);
    QFETCH(qulonglong, bytes);
    QFETCH(bool, known);
    const qulonglong count = tooMuch() / bytes;
    // Known only once it runs, and no constant that is computed beforehand: the sum of x is 6.
    const QString body = QStringLiteral(
                             "    n = torch.floordiv(%1, int(torch.sum(x)))\n"
                             "    return torch.add(x, torch.sum(%2))\n")
                             .arg(6 * count)
                             .arg(expression);
    const std::string file = test::temporaryFolder().toStdString() + "/memory.pt";
    test::write_bytes(file, test::model_with(body.toStdString()).archive());
    const graph::Model model = graph::Model::load(file);
    graph::FlatGraph flat(model);
    for (const char* by : {"engine", "flat graph", "forward"}) {
      try {
        if (by == std::string("engine")) flat.run({at::ones({2, 3})});
        if (by == std::string("flat graph")) flat.run_native({at::ones({2, 3})});
        if (by == std::string("forward")) model.forward({at::ones({2, 3})});
        QFAIL("was run");
      } catch (const Error& error) {
        QVERIFY2(error.code == ErrorCode::kOutOfMemory, error.what());
        const QString place = QString::fromStdString(error.what()) + u' ' + QString::fromStdString(error.hint);
        QVERIFY2(place.contains(QLatin1String("out of memory: ")), qPrintable(place));
        // LibTorch has a text of its own around some of them, whose frame hides the model's.
        QCOMPARE(place.contains(QStringLiteral("__torch__.py:")), known);
        QVERIFY2(!place.contains(QStringLiteral("<string>")), qPrintable(place));
      }
    }
  }
};

BINADE_SUITE(MemoryGuard);
#include "tst_memory_guard.moc"
