// SPDX-License-Identifier: Apache-2.0
// What Diagnose and Profile are made of: chain, question, reason card, bar and badge cells.
#include "tests/support/suite.h"
#include "views/chain_view.h"
#include "views/question_card.h"
#include "views/reason_card.h"
#include "views/table/delegates.h"
#include "views/theme.h"

#include <QApplication>
#include <QLabel>
#include <QLayout>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTest>

#include <cmath>

namespace {

using namespace binade;
using views::ChainRow;

ChainRow row(const QString& call, int id, bool cause = false) {
  ChainRow made;
  made.call = call;
  made.id = id;
  made.cause = cause;
  made.shape = cause ? views::VerdictShape::kOverflow : views::VerdictShape::kCarriedOn;
  return made;
}

ChainRow foldedRow() {
  ChainRow made;
  made.call = QStringLiteral("3 more op calls");
  made.folded = {row(QStringLiteral("a"), 5), row(QStringLiteral("b"), 6), row(QStringLiteral("c"), 7)};
  return made;
}

// Pixels of a cell painted by a delegate.
QImage cellImage(views::CellDelegate& delegate, const QStandardItemModel& model) {
  QImage image(320, 24, QImage::Format_RGB32);
  QPainter painter(&image);
  QStyleOptionViewItem option;
  option.rect = image.rect();
  delegate.paint(&painter, option, model.index(0, 0));
  return image;
}

int countOf(const QImage& image, const QColor& color, int from, int to) {
  int count = 0;
  for (int x = from; x < to; ++x) count += image.pixelColor(x, 12) == color ? 1 : 0;
  return count;
}

class DiagnoseViews : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void foldedCallsOpenOnAClickAndByKey() {
    views::ChainView chain;
    chain.setRows({row(QStringLiteral("root"), 1, true), foldedRow(), row(QStringLiteral("end"), 9)});
    chain.resize(600, 200);
    QCOMPARE(chain.lineCount(), 3);
    QSignalSpy activated(&chain, &views::ChainView::activated);
    QTest::mouseClick(&chain, Qt::LeftButton, Qt::NoModifier, chain.lineRect(1).center().toPoint());
    QCOMPARE(chain.lineCount(), 5);
    QCOMPARE(activated.size(), 0);
    QTest::mouseClick(&chain, Qt::LeftButton, Qt::NoModifier, chain.lineRect(2).center().toPoint());
    QCOMPARE(activated.takeFirst().front().toInt(), 6);
    chain.setRows({foldedRow(), row(QStringLiteral("end"), 9)});
    QTest::keyClick(&chain, Qt::Key_Home);
    QTest::keyClick(&chain, Qt::Key_Return);
    QCOMPARE(chain.lineCount(), 4);
    QTest::keyClick(&chain, Qt::Key_End);
    QTest::keyClick(&chain, Qt::Key_Return);
    QCOMPARE(activated.takeFirst().front().toInt(), 9);
  }

  void theChainIsAsHighAsItsLines() {
    views::ChainView chain;
    chain.setRows({row(QStringLiteral("root"), 1, true), foldedRow()});
    const int folded = chain.sizeHint().height();
    chain.resize(600, folded);
    QTest::mouseClick(&chain, Qt::LeftButton, Qt::NoModifier, chain.lineRect(1).center().toPoint());
    QCOMPARE(chain.sizeHint().height(), folded + 64);
  }

  void theCauseStandsOnCrimsonGround() {
    views::ChainView chain;
    chain.setRows({row(QStringLiteral("root"), 1, true), row(QStringLiteral("end"), 2)});
    chain.resize(600, chain.sizeHint().height());
    const QImage image = chain.grab().toImage();
    const QPoint at(image.width() / 3, static_cast<int>(chain.lineRect(0).top()) + 5);
    QCOMPARE(image.pixelColor(at), views::colors().crimsonGround);
    QVERIFY(image.pixelColor(at + QPoint(0, 32)) != views::colors().crimsonGround);
  }

  void leftFoldsARunAgain() {
    views::ChainView chain;
    chain.setRows({row(QStringLiteral("root"), 1, true), foldedRow(), row(QStringLiteral("end"), 9)});
    chain.resize(600, 200);
    QTest::keyClick(&chain, Qt::Key_Down);
    QTest::keyClick(&chain, Qt::Key_Down);
    QTest::keyClick(&chain, Qt::Key_Right);
    QCOMPARE(chain.lineCount(), 5);
    QTest::keyClick(&chain, Qt::Key_Down);
    QTest::keyClick(&chain, Qt::Key_Left);
    QCOMPARE(chain.lineCount(), 3);
    QCOMPARE(chain.current(), 1);
    const QSignalSpy activated(&chain, &views::ChainView::activated);
    QTest::keyClick(&chain, Qt::Key_Up);
    QTest::keyClick(&chain, Qt::Key_Right);  // a call is not opened by the arrow
    QCOMPARE(activated.size(), 0);
  }

  void theChainIsReadOutWhole() {
    views::ChainView chain;
    chain.setRows({row(QStringLiteral("root"), 1, true), row(QStringLiteral("end"), 2)});
    QVERIFY(chain.accessibleDescription().contains(QStringLiteral("root")));
    QVERIFY(chain.accessibleDescription().contains(QStringLiteral("end")));
  }

  void aMeasuredBarIsAsLongAsItsShare() {
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("50 %"), Qt::DisplayRole);
    model.setData(model.index(0, 0), 0.5, views::BarRole);
    views::BarDelegate delegate;
    const QImage image = cellImage(delegate, model);
    const double room = 320 - 16 - 62 - 8;
    QCOMPARE(countOf(image, views::colors().text, 8, 8 + static_cast<int>(room)), static_cast<int>(room / 2));
  }

  void whatWasNotMeasuredHasNoBar() {
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("–"), Qt::DisplayRole);
    model.setData(model.index(0, 0), std::nan(""), views::BarRole);
    views::BarDelegate delegate;
    const QImage none = cellImage(delegate, model);
    QCOMPARE(countOf(none, views::colors().text, 8, 240), 0);
    QCOMPARE(countOf(none, views::colors().headroomGround, 8, 240), 0);
    model.setData(model.index(0, 0), 0.0, views::BarRole);
    QVERIFY(countOf(cellImage(delegate, model), views::colors().headroomGround, 8, 240) > 200);  // a real zero
  }

  void anEstimateIsHatchedNotFilled() {
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), 1.0, views::BarRole);
    views::BarDelegate delegate;
    const int filled = countOf(cellImage(delegate, model), views::colors().text, 8, 240);
    model.setData(model.index(0, 0), true, views::BarHatchedRole);
    const int hatched = countOf(cellImage(delegate, model), views::colors().text, 8, 240);
    QVERIFY(hatched < filled / 3);
  }

  void aBadgeIsFilledOnlyWhereItWasMeasured() {
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), QStringLiteral("COUNTERS"), Qt::DisplayRole);
    views::BadgeDelegate delegate;
    const auto dark = [&](views::BadgeStyle style) {
      model.setData(model.index(0, 0), static_cast<int>(style), views::BadgeRole);
      const QImage image = cellImage(delegate, model);
      int count = 0;
      for (int x = 10; x < 60; ++x) count += image.pixelColor(x, 6) == views::colors().text ? 1 : 0;
      return count;
    };
    QVERIFY(dark(views::BadgeStyle::kMeasured) > 30);
    QCOMPARE(dark(views::BadgeStyle::kEstimate), 0);
  }

  void aQuestionSaysItsAnswerToEveryone() {
    views::QuestionCard card(2, QStringLiteral("Is the scale collapsing?"));
    card.setAnswer(views::QuestionCard::Tone::kBad, QStringLiteral("Yes: fallen below 1"));
    QCOMPARE(card.accessibleName(), QStringLiteral("Is the scale collapsing?"));
    QCOMPARE(card.accessibleDescription(), QStringLiteral("Yes: fallen below 1"));
    card.resize(300, 56);
    const QSignalSpy clicked(&card, &QAbstractButton::clicked);
    QTest::keyClick(&card, Qt::Key_Space);
    QCOMPARE(clicked.size(), 1);
  }

  void anAnswerThatIsTooLongForALineTakesTwo() {
    views::QuestionCard card(1, QStringLiteral("Is something not finite?"));
    card.resize(317, 56);  // in a window of 1280 px
    const QString text = QStringLiteral("It was, in 5 steps until step 4; good since the edit at step 5");
    card.setAnswer(views::QuestionCard::Tone::kGood, text);
    QCOMPARE(card.answerLines().size(), 2);
    QCOMPARE(card.answerLines().join(u' '), text);
    QVERIFY(!card.grab().isNull());
    card.setAnswer(views::QuestionCard::Tone::kGood, QStringLiteral("No: 24 steps, all checked"));
    QCOMPARE(card.answerLines(), QStringList{QStringLiteral("No: 24 steps, all checked")});
    // A brief answer stands in for one that takes more than a line, and only for that.
    const QString brief = QStringLiteral("Yes: conv1 loses 4 %");
    card.setAnswer(views::QuestionCard::Tone::kBad, text, brief);
    QCOMPARE(card.answerLines(), QStringList{brief});
    QCOMPARE(card.toolTip(), text);
    QCOMPARE(card.accessibleDescription(), text);
    card.setAnswer(views::QuestionCard::Tone::kBad, QStringLiteral("Yes: in 3 steps"), brief);
    QCOMPARE(card.answerLines(), QStringList{QStringLiteral("Yes: in 3 steps")});
    // More than two lines do not fit the card.
    card.setAnswer(views::QuestionCard::Tone::kGood, text + u' ' + text + u' ' + text);
    QCOMPARE(card.answerLines().size(), 2);
    QVERIFY(card.answerLines().back().contains(u'…'));
    QCOMPARE(card.toolTip(), text + u' ' + text + u' ' + text);
  }

  void aReasonCardSaysWhatStillWorks() {
    views::ReasonCard card;
    card.setReason(QStringLiteral("Cannot be measured"), QStringLiteral("No driver."), QStringLiteral("Install one."));
    card.setConsequences({QStringLiteral("Counters")}, {QStringLiteral("Loss scale")});
    QPushButton* first = card.addButton(QStringLiteral("Open"));
    QPushButton* second = card.addButton(QStringLiteral("Check again"));
    QVERIFY(first->property("primary").toBool());
    QVERIFY(!second->property("primary").toBool());
    card.setButtonShown(first, false);
    QVERIFY(first->isHidden());
    QVERIFY(second->property("primary").toBool());
    card.setButtonShown(first, true);
    QVERIFY(first->property("primary").toBool());
    QVERIFY(!second->property("primary").toBool());
    QCOMPARE(card.headline(), QStringLiteral("Cannot be measured"));
    card.resize(700, 300);
    QVERIFY(!card.grab().isNull());
  }

  void inALowWindowAReasonCardNeedsLessHeight() {
    views::ReasonCard card;
    card.setReason(QStringLiteral("Cannot be measured"), QStringLiteral("No driver."), QStringLiteral("Install one."));
    card.setConsequences({QStringLiteral("Counters")}, {QStringLiteral("Loss scale"), QStringLiteral("Times")});
    card.addButton(QStringLiteral("Open"));
    const auto high = [&card](int window) {
      card.arrangeFor(window);
      return card.layout()->totalHeightForWidth(900);
    };
    const int beside = high(800);
    QVERIFY2(high(1000) >= beside + 40, qPrintable(QString::number(beside)));
    QCOMPARE(high(800), beside);
  }

  void inALowWindowTheTextOfAReasonCardWithoutAListHasTheWholeWidth() {
    views::ReasonCard card;
    const QString sentence = QStringLiteral("The tensor-core curve appears here for runs that were recorded so.");
    card.setReason(QStringLiteral("This run was not profiled"), sentence, QStringLiteral("To switch it on, set it."));
    card.addButton(QStringLiteral("Open"));
    card.resize(740, 184);
    card.show();
    card.arrangeFor(800);
    QApplication::processEvents();
    int lines = 0;
    for (const QLabel* label : card.findChildren<QLabel*>()) {
      if (label->text() != sentence) continue;
      ++lines;
      QVERIFY2(label->width() > 400, qPrintable(QString::number(label->width())));
      QVERIFY(label->height() >= label->heightForWidth(label->width()));
    }
    QCOMPARE(lines, 1);
    // A list takes its part.
    card.setConsequences({QStringLiteral("Counters")}, {QStringLiteral("Loss scale"), QStringLiteral("Times")});
    QApplication::processEvents();
    for (const QLabel* label : card.findChildren<QLabel*>()) {
      if (label->text() == sentence) QVERIFY(label->width() < 400);
    }
  }
};

BINADE_SUITE(DiagnoseViews);

}  // namespace

#include "tst_diagnose_views.moc"
