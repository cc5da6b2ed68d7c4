// SPDX-License-Identifier: Apache-2.0
#include "tests/scaler/golden.h"
#include "tests/scaler/warnings.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>
#include <c10/util/Exception.h>

#include <cmath>

using namespace binade::test;

/// The hand-made table of PyTorch 2.11's GradScaler: one line for each thing worth knowing of it.
class TestGolden : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyRowIsAnswered();
};

namespace {

struct Line {
  QString group, name, result, warning;
};

QList<Line> lines() {
  QFile file(QStringLiteral(BINADE_TEST_DATA "/scaler/gradscaler_golden.csv"));
  if (!file.open(QIODevice::ReadOnly)) return {};
  QList<QStringList> table(1);
  table.last() << QString();
  bool quoted = false;
  const QString text = QString::fromUtf8(file.readAll());
  for (qsizetype i = 0; i < text.size(); ++i) {
    const QChar each = text[i];
    if (each == u'"' && quoted && i + 1 < text.size() && text[i + 1] == u'"') {
      table.last().last() += each;
      ++i;
    } else if (each == u'"') {
      quoted = !quoted;
    } else if (!quoted && each == u',') {
      table.last() << QString();
    } else if (!quoted && each == u'\n') {
      table << QStringList{QString()};
    } else if (each != u'\r') {
      table.last().last() += each;
    }
  }
  QList<Line> rows;
  for (const QStringList& row : table.mid(1)) {
    if (row.size() == 4) rows << Line{row[0], row[1], row[2], row[3]};
  }
  return rows;
}

/// The numbers in Python's text, True and False among them.
std::vector<double> numbersIn(const QString& text) {
  static const QRegularExpression token(
      QStringLiteral(R"((?<![A-Za-z_.0-9'])(True|False|nan|-?inf|-?\d+\.?\d*(?:e[+-]?\d+)?)(?![A-Za-z_0-9']))"));
  std::vector<double> numbers;
  auto matches = token.globalMatch(text);
  while (matches.hasNext()) {
    const QString found = matches.next().captured(1);
    if (found == QStringLiteral("True") || found == QStringLiteral("False")) {
      numbers.push_back(found == QStringLiteral("True") ? 1 : 0);
    } else {
      numbers.push_back(std::strtod(found.toLatin1().constData(), nullptr));
    }
  }
  return numbers;
}

/// Python prints tensors with four decimals.
bool alike(const std::vector<double>& ours, const std::vector<double>& theirs) {
  if (ours.size() != theirs.size()) return false;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    const bool same =
        (std::isnan(ours[i]) && std::isnan(theirs[i])) || ours[i] == theirs[i] ||
        (std::abs(theirs[i]) > 1e-3 && std::abs(ours[i] - theirs[i]) <= 5e-5 + 1e-7 * std::abs(theirs[i]));
    if (!same) return false;
  }
  return true;
}

QString written(const std::vector<double>& numbers) {
  QStringList all;
  for (const double number : numbers) all << QString::number(number);
  return all.join(u' ');
}

/// PyTorch's type is in its text; ours is not.
QString withoutType(const QString& error) {
  return error.section(QStringLiteral(": "), 1);
}

}  // namespace

void TestGolden::everyRowIsAnswered() {
  GoldenRows rows;
  addSettings(rows);
  addIterations(rows);
  addKernels(rows);
  const auto all = lines();
  QCOMPARE(all.size(), 183);
  int exact = 0;
  int mapped = 0;
  int fixed = 0;
  int differing = 0;
  for (const Line& line : all) {
    const auto row = rows.find({line.group.toStdString(), line.name.toStdString()});
    QVERIFY2(row != rows.end(), qPrintable(line.group + QStringLiteral(" / ") + line.name));
    QString answer;
    bool right = false;
    const WarningsKept warnings;
    try {
      const auto numbers = row->second.run();
      answer = written(numbers);
      right = !line.result.startsWith(u'!') && alike(numbers, numbersIn(line.result));
    } catch (const c10::Error& error) {
      answer = QString::fromUtf8(error.what_without_backtrace());
      // The table cuts long texts off.
      right = line.result.startsWith(u'!') && answer.startsWith(withoutType(line.result));
    }
    if (line.warning.startsWith(QStringLiteral("UserWarning"))) {
      right = right && warnings.texts().size() == 1 &&
              QString::fromStdString(warnings.texts()[0]) == withoutType(line.warning);
    }
    if (!row->second.fixed.empty()) {
      ++fixed;
      right = !right;
    } else {
      ++(row->second.mapped.empty() ? exact : mapped);
    }
    if (right) continue;
    ++differing;
    qInfo("%s / %s: %s, recorded %s", qPrintable(line.group), qPrintable(line.name), qPrintable(answer),
          qPrintable(line.result));
  }
  qInfo("%d golden rows, %d differ: %d exact, %d mapped, %d fixed", int(all.size()), differing, exact, mapped, fixed);
  QCOMPARE(differing, 0);
  QCOMPARE(rows.size(), std::size_t(all.size()));
}

BINADE_SUITE(TestGolden);
#include "tst_golden.moc"
