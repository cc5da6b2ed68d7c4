// SPDX-License-Identifier: Apache-2.0
// Layouts beside the GUI thread: with dot, and where dot is missing, hangs, fails or prints something else.
#include "app/docks/graph_layouter.h"
#include "tests/support/suite.h"

#include <QElapsedTimer>
#include <QFile>
#include <QGuiApplication>
#include <QTest>

#include <optional>

namespace {

using namespace binade;
using app::GraphLayouter;

/// A chain of boxes; more than are laid out at once.
views::LayoutInput chain(int boxes = 80) {
  views::LayoutInput input;
  for (int i = 0; i < boxes; ++i) {
    input.boxes.push_back({{100, 28}, -1, false});
    if (i > 0) input.edges.push_back({i - 1, i});
  }
  return input;
}

/// An executable script in a folder of its own; the body is for sh.
QString script(const QString& body) {
  static int count = 0;
  const QString name = test::temporaryFolder() + QStringLiteral("/dot%1").arg(++count);
  QFile file(name);
  if (!file.open(QIODevice::WriteOnly)) qFatal("%s cannot be written", qPrintable(name));
  file.write("#!/bin/sh\n" + body.toUtf8() + '\n');
  file.setPermissions(QFileDevice::ReadOwner | QFileDevice::WriteOwner | QFileDevice::ExeOwner);
  return name;
}

/// A dot that puts the boxes of chain() below each other, 2 inches apart, and counts its starts in a file.
QString goodDot() {
  return script(QStringLiteral(
      "echo x >> \"$0.starts\"\n"
      "awk 'BEGIN { n = 0; e = 0 }\n"
      "/width/ { node[n++] = $1 }\n"
      "/->/ { from[e] = $1; to[e++] = $3 }\n"
      "END { print \"graph 1 4\", 2 * n;\n"
      "  for (i = 0; i < n; ++i) print \"node\", node[i], 2, 2 * (n - i) - 1, 1.4, 0.4, \"x solid box black grey\";\n"
      "  for (i = 0; i < e; ++i) print \"edge\", from[i], to[i], \"4 2 3 2 2 2 1 2 0 solid black\";\n"
      "  print \"stop\" }'"));
}

int startsOf(const QString& dot) {
  QFile file(dot + QStringLiteral(".starts"));
  return file.open(QIODevice::ReadOnly) ? static_cast<int>(file.readAll().count('x')) : 0;
}

class GraphLayouters : public test::Suite {
  Q_OBJECT

  static std::optional<views::LayoutPlaces> places(GraphLayouter& layouter, const views::LayoutInput& input) {
    std::optional<views::LayoutPlaces> found;
    layouter.layOut(input, [&found](views::LayoutPlaces made) { found = std::move(made); });
    const bool came = QTest::qWaitFor([&] { return found.has_value(); }, 20'000);
    return came ? found : std::nullopt;
  }

 private Q_SLOTS:
  void withoutDotTheLayoutComesFromAnotherThread() {
    GraphLayouter layouter{QString()};
    std::optional<views::LayoutPlaces> found;
    layouter.layOut(chain(), [&found](views::LayoutPlaces made) { found = std::move(made); });
    QVERIFY(!found);
    QTRY_VERIFY(found);
    QVERIFY(found->boxes == views::layOut(chain()).boxes);
    QVERIFY(!layouter.usedDot());
  }

  void aSmallGraphIsLaidOutAtOnce() {
    GraphLayouter layouter{QString()};
    bool done = false;
    layouter.layOut(chain(5), [&done](const views::LayoutPlaces&) { done = true; });
    QVERIFY(done);
  }

  void aNewerGraphReplacesOneThatIsBeingLaidOut() {
    GraphLayouter layouter{QString()};
    bool first = false;
    layouter.layOut(chain(2000), [&first](const views::LayoutPlaces&) { first = true; });
    const auto found = places(layouter, chain(90));
    QVERIFY(found);
    QCOMPARE(found->boxes.size(), std::size_t{90});
    QTest::qWait(50);
    QVERIFY(!first);
  }

  void dotIsUsedWhereItIs() {
    const QString dot = goodDot();
    GraphLayouter layouter(dot);
    const auto found = places(layouter, chain());
    QVERIFY(found);
    QVERIFY(layouter.usedDot());
    QVERIFY(found->curved);
    QCOMPARE(found->boxes[1].top() - found->boxes[0].top(), 144.0);
    QVERIFY(places(layouter, chain(90)));
    QCOMPARE(startsOf(dot), 2);
  }

  void aDotThatFailsIsReplacedAndNotStartedAgain_data() {
    QTest::addColumn<QString>("body");
    QTest::newRow("prints garbage") << QStringLiteral("cat > /dev/null; echo x >> \"$0.starts\"; echo hello");
    QTest::newRow("prints nothing") << QStringLiteral("cat > /dev/null; echo x >> \"$0.starts\"");
    QTest::newRow("fails") << QStringLiteral("echo x >> \"$0.starts\"; exit 3");
    QTest::newRow("crashes") << QStringLiteral("echo x >> \"$0.starts\"; kill -SEGV $$");
    QTest::newRow("prints half of it") << QStringLiteral(
        "cat > /dev/null; echo x >> \"$0.starts\"; echo 'graph 1 4 4'; echo 'node n0 1 1 1 1'");
    QTest::newRow("prints without end") << QStringLiteral("echo x >> \"$0.starts\"; exec yes hello");
  }
  void aDotThatFailsIsReplacedAndNotStartedAgain() {
    QFETCH(QString, body);
    const QString dot = script(body);
    GraphLayouter layouter(dot);
    layouter.setTimeout(15'000);
    auto found = places(layouter, chain());
    QVERIFY(found);
    QVERIFY(!layouter.usedDot());
    QVERIFY(found->boxes == views::layOut(chain()).boxes);
    found = places(layouter, chain(90));
    QVERIFY(found);
    QCOMPARE(startsOf(dot), 1);
  }

  void aDotThatIsNotThereIsReplaced() {
    for (const QString& dot : {test::temporaryFolder() + QStringLiteral("/no/dot"), test::temporaryFolder()}) {
      GraphLayouter layouter(dot);
      QVERIFY(places(layouter, chain()));
      QVERIFY(!layouter.usedDot());
    }
  }

  void aDotThatHangsIsEndedAndOnlyGetsSmallerGraphs() {
    // It hangs with 80 boxes or more.
    QString text = QStringLiteral(
        "echo x >> \"$0.starts\"; cat > \"$0.in\"; grep -q n79 \"$0.in\" && exec sleep 600; exec %1 < \"$0.in\"");
    const QString dot = script(text.arg(goodDot()));
    GraphLayouter layouter(dot);
    layouter.setTimeout(400);
    QVERIFY(places(layouter, chain(80)));
    QVERIFY(!layouter.usedDot());
    QVERIFY(places(layouter, chain(95)));  // at least as many boxes
    QVERIFY(!layouter.usedDot());
    QCOMPARE(startsOf(dot), 1);
    layouter.setTimeout(15'000);
    QVERIFY(places(layouter, chain(70)));
    QVERIFY(layouter.usedDot());
  }

  void aLayouterThatEndsEndsItsDot() {
    QElapsedTimer timer;
    timer.start();
    {
      GraphLayouter layouter(script(QStringLiteral("exec sleep 600")));
      layouter.layOut(chain(), [](const views::LayoutPlaces&) { QFAIL("there is nothing to show"); });
      QTest::qWait(50);
    }
    QVERIFY(timer.elapsed() < 60'000);
  }

  void theEnvironmentNamesTheProgram() {
    qputenv("BINADE_DOT", "");
    QCOMPARE(GraphLayouter::findDot(), QString());
    qputenv("BINADE_DOT", "/opt/dot");
    QCOMPARE(GraphLayouter::findDot(), QStringLiteral("/opt/dot"));
    qunsetenv("BINADE_DOT");
    if (QGuiApplication::platformName() == QLatin1String("offscreen")) QCOMPARE(GraphLayouter::findDot(), QString());
  }
};

BINADE_SUITE(GraphLayouters);

}  // namespace

#include "tst_graph_layouter.moc"
