// SPDX-License-Identifier: Apache-2.0
// The words for events that are the same in every run.
#include "app/present/event_story.h"
#include "app/present/event_words.h"
#include "tests/app/app_fixture.h"
#include "tests/app/fake_findings.h"
#include "tests/app/fake_sites.h"
#include "tests/support/suite.h"

#include <QTest>

namespace {

using namespace binade;

class EventWords : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void farBeyondTheFormatIsSaidInDoublings() {
    const auto why = [](double largest) {
      wire::Event event;
      event.kind = wire::Event::Kind::kForwardOverflow;
      return app::whyRed(event, QStringLiteral("float16"), largest, 1);
    };
    QVERIFY(why(67846).contains(QStringLiteral("by less than one doubling")));
    QVERIFY(why(65520 * 4.0).contains(QStringLiteral("by 2.0 doublings")));
    QVERIFY(!why(65504).contains(QStringLiteral("too large")));
  }

  void everyVerdictHasAHeadlineOfItsOwn() {
    QStringList seen;
    for (int i = 0; i <= static_cast<int>(wire::Verdict::kHugeData); ++i) {
      const QString text = app::verdictText(static_cast<wire::Verdict>(i));
      QVERIFY(!text.isEmpty());
      QVERIFY2(!seen.contains(text), qPrintable(text));
      seen << text;
    }
  }

  // A narrow table shows it instead of the name with its op.
  void aChangeOfOneOpCallHasABriefForm() {
    app::RunModel run;
    test::feedRun(run, 3);
    run.addEvent(test::diagnosed(2, wire::Event::Kind::kForwardOverflow, 65536, test::forwardOverflow()));
    const app::EventStory story = app::storyOf(run, static_cast<int>(run.events().size()) - 1);
    int brief = 0;
    for (const app::EventStory::Tried& tried : story.tried) {
      if (tried.change.text != QStringLiteral("fc1/aten::linear#0 in bfloat16")) continue;
      QCOMPARE(tried.brief, run.callForms().of(test::kFc1).back() + QStringLiteral(" in bfloat16"));
      QVERIFY(tried.brief.size() < tried.change.text.size());
      ++brief;
    }
    QVERIFY(brief > 0);
  }
};

BINADE_SUITE(EventWords);

}  // namespace

#include "tst_event_words.moc"
