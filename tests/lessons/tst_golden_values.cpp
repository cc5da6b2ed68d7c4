// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/blocks_of.h"
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/read_lesson.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>

#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace binade::test {

// The values that mixed precision is taught with stand in the built-in lessons, each from the computation that draws
// its figure. Rows are those of tests/features.csv.
class GoldenValues : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase();
  void standInLessons_data();
  void standInLessons();
  void statementsStandInLessons_data();
  void statementsStandInLessons();
  void blocksAndTheirOutliers();
  void everyTaughtRowIsThere();
  void float32SumsErrLessThanOneRounding();
  void everyNumberOfATextStandsInItsFigure();
  void captionsNameNoResultBeforeThePrediction();

 private:
  struct Text {
    QString source;
    lessons::Lesson lesson;
  };
  const Text& lesson(int number) const { return texts_[static_cast<std::size_t>(number - 1)]; }
  lessons::FigureData figure(int number, const QString& name) const;

  std::vector<Text> texts_;
};

namespace {

constexpr double kInf = std::numeric_limits<double>::infinity();

/// A value of a row, as a lesson shows it: `{figure.fact}`.
struct Golden {
  const char* row;
  int lesson;
  const char* figure;
  const char* fact;
  double value;
  const char* text;
};

constexpr Golden kGolden[] = {
    {"S3-06", 1, "ruler", "float32_ulp", 0x1p-23, "2^-23"},
    {"S3-06", 1, "ruler", "float16_ulp", 0x1p-10, "2^-10"},
    {"S3-06", 1, "thousand", "float16_ulp", 1, "1"},
    {"S3-06", 1, "thousand", "bfloat16_ulp", 8, "8"},
    {"S3-07", 1, "ruler", "float32_binades", 254, "254"},  // 2^8 - 2
    {"S3-07", 1, "ruler", "float32_marks", 0x1p23, "8388608"},
    {"S3-08", 1, "ruler", "float16_binades", 30, "30"},  // 2^5 - 2
    {"S3-08", 1, "ruler", "float16_marks", 1024, "1024"},
    {"S3-08", 2, "ends", "float16_largest", 65504, "65504"},
    {"S3-08", 2, "ends", "float16_largest_bits", 65504, "0x7bff"},
    {"S3-08", 2, "edge", "float16_2", 65504, "65504"},  // of 65519.996
    {"S3-08", 2, "ends", "float16_overflow", 65520, "65520"},
    {"S3-08", 2, "ends", "float16_beyond", kInf, "inf"},
    {"S3-11", 2, "tf32", "tfloat32_1", 1, "1"},  // of 1 + 2^-12
    {"S3-11", 2, "tf32", "tfloat32_2", 1 + 0x1p-10, "1.0009766"},
    {"S3-11", 2, "tf32", "tfloat32_3", 0x1.2dp126, "1.0002441e38"},
    {"S3-11", 2, "tf32", "float16_3", kInf, "inf"},
    {"S3-12", 1, "bytes", "float32_bytes", 4e6, "4000000"},
    {"S3-12", 1, "bytes", "float16_bytes", 2e6, "2000000"},
    {"S3-12", 1, "bytes", "float16_fit", 2e6, "2000000"},
    {"S3-13", 10, "bars", "throughput", 2, "2"},
    {"S3-14", 10, "bars", "compute", 8, "8"},
    {"S3-15", 3, "tile", "wide21", 2051, "2051"},
    {"S3-15", 3, "tile", "wide44", 360000, "360000"},
    {"S3-16", 10, "quotes", "v100_tflops", 125, "125"},
    {"S3-16", 10, "quotes", "v100_ratio", 125 / 15.7, "7.96"},
    {"S3-17", 10, "quotes", "a100_tflops", 312, "312"},
    {"S3-17", 10, "quotes", "a100_ratio", 16, "16"},
    {"S3-18", 3, "sum", "wide", 65536, "65536"},
    {"S3-18", 3, "sum", "sequential", 32768, "32768"},
    {"S3-18", 3, "tile", "narrow21", 2048, "2048"},
    {"S3-18", 3, "tile", "narrow44", kInf, "inf"},
    {"S3-21", 3, "sum", "wide", 65536, "65536"},
    {"S3-21", 3, "sum", "stored", kInf, "inf"},
    {"S3-21", 3, "sum", "tree", kInf, "inf"},
    {"S3-21", 3, "sum", "sequential", 32768, "32768"},
    {"S3-22", 8, "range", "float16_1", 59872, "59872"},  // exp(11)
    {"S3-22", 8, "range", "float16_2", kInf, "inf"},     // exp(11.1)
    {"S3-22", 8, "range", "float16_3", kInf, "inf"},     // 300^2
    {"S3-23", 4, "tiny", "once", 1, "1"},
    {"S3-23", 4, "tiny", "once_bits", 1, "0x3c00"},
    {"S3-23", 4, "tiny", "once_wide", 1.000100017, "1.0001"},
    {"S3-23", 4, "tiny", "many", 1, "1"},
    {"S3-23", 4, "tiny", "many_wide", 1.1000166, "1.1000166"},
    {"S3-24", 4, "tiny", "limit", 0x1p-11, "2^-11"},
    {"S3-24", 4, "tiny", "above_result", 1.0009765625, "1.0009766"},
    {"S3-25", 4, "tiny", "wide_limit", 0x1p-24, "2^-24"},
    {"S3-25", 4, "tiny", "wide_above_result", 1 + 0x1p-23, "1.0000001"},
    {"S3-29", 10, "quotes", "bert_low", 3, "3"},
    {"S3-29", 10, "quotes", "bert_high", 4, "4"},
    {"S3-30", 10, "quotes", "jasper_low", 2, "2"},
    {"S3-30", 10, "quotes", "jasper_high", 3, "3"},
    {"S3-31", 10, "quotes", "a100_again", 2, "2"},
    {"S3-35", 10, "quotes", "retraining", 0.5, "0.5"},
    {"S3-38", 4, "tiny", "once", 1, "1"},
    {"S3-38", 4, "larger", "once", 1.0009765625, "1.0009766"},  // 0.001 is not lost
    {"S3-39", 5, "chain", "zero_layer", 8, "8"},
    {"S3-39", 5, "chain", "last_held", 0, "0"},
    {"S3-40", 5, "chain", "subnormal_layer", 5, "5"},
    {"S3-40", 2, "ends", "float16_normal", 0x1p-14, "2^-14"},
    {"S3-40", 2, "ends", "float16_zero", 0x1p-25, "2^-25"},
    {"S3-41", 6, "chain", "kept", 10, "10"},
    {"S3-41", 6, "chain", "lowest_exponent", 9, "9"},
    {"S3-41", 6, "chain", "highest_exponent", 15, "15"},
    {"S3-42", 6, "one", "beside_unscaled_narrow", 0, "0"},
    {"S3-44", 6, "one", "beside_unscaled", 1374 * 0x1p-37, "9.997166e-9"},
    {"S3-56", 10, "bars", "compute", 8, "8"},
    {"S3-56", 10, "bars", "throughput", 2, "2"},
    {"S3-56", 10, "bars", "storage", 0.5, "0.5"},
    {"S4-16", 5, "chain", "lost", 3, "3"},
    {"S4-17", 5, "small", "held", 0x1.5p-17, "1.001358e-5"},
    {"S4-17", 5, "small", "flushed", 0, "0"},
    {"S4-17", 5, "small", "beside_held", 0, "0"},
    {"S4-18", 6, "one", "scaled", 0.65536, "0.65536"},
    {"S4-18", 6, "one", "scaled_held", 0.6552734375, "0.65527344"},
    {"S4-18", 6, "one", "unscaled", 0.6552734375 * 0x1p-16, "9.998679e-6"},
    {"S4-19", 6, "missing", "sgd_first", 0.1, "0.1"},
    {"S4-19", 6, "missing", "sgd_first_missing", 102.4, "102.4"},
    {"S4-20", 2, "ends", "float32_normal", 0x1p-126, "2^-126"},
    {"S4-20", 6, "one", "beside_unscaled", 1374 * 0x1p-37, "9.997166e-9"},
    {"S4-22", 6, "one", "exact_lowest", 2, "2"},
    {"S4-22", 6, "one", "exact_highest", 32, "32"},
    {"S4-23", 6, "one", "overflow_gradient", 65520 * 0x1p-16, "0.99975586"},
    {"S4-23", 6, "large", "scaled_held", kInf, "inf"},
    {"S4-23", 6, "large", "weight_unprotected", -kInf, "-inf"},
    {"S4-23", 6, "large", "weight_checked", 1, "1"},
    {"S4-24", 6, "large", "weight_checked", 1, "1"},
    {"S4-24", 7, "sim", "skipped", 6, "6"},
    {"S4-24", 7, "search", "skipped", 5, "5"},  // what its prediction asks
    {"S4-24", 7, "search", "first_clean", 6, "6"},
    {"S4-24", 7, "search", "final_exponent", 19, "19"},
    {"S4-25", 7, "once", "after_first", 32768, "32768"},
    {"S4-26", 7, "once", "growths", 2, "2"},
    {"S4-26", 7, "once", "final", 131072, "131072"},
    {"S4-26", 7, "climb", "final_exponent", 24, "24"},
};

/// What a row without a number states, and the words of a lesson that state it.
struct Statement {
  const char* row;
  int lesson;
  const char* words;
};

constexpr Statement kStatements[] = {
    {"S3-09", 8, "ops on the *float32* list get their inputs converted to float32"},
    {"S3-10", 2, "INT8. They are for the use of a trained network"},
    {"S3-19", 3, "less than the largest error of one float16 rounding"},
    {"S3-20", 3, "first of two principles of mixed precision: **accumulate in float32**"},
    {"S3-26", 8, "ops on the *lower* list get their inputs converted to float16: matrix products and convolutions"},
    {"S3-27", 8, "Each row is an op call with its format"},
    {"S3-28", 8, "**You write nothing into the model.**"},
    {"S3-32", 10, "many networks reach the accuracy of float32"},
    {"S3-33", 10, "mixed precision needs no new settings"},
    {"S3-34", 5, "The two together are all you need to remember"},
    {"S3-36", 8, "ops that are sensitive to their input, such as an exponential"},
    {"S3-37", 8, "**The weights stay float32.**"},
    {"S3-43", 6, "Learning rate, schedule and batch size stay the same"},
    {"S3-45", 6, "(loss * scale).backward()"},
    {"S3-46", 7, "torch.amp.GradScaler(\"cuda\""},
    {"S3-47", 7, "with torch.autocast(\"cuda\""},
    {"S3-48", 7, "scaler.update()"},
    {"S3-49", 7, "the scaler is one object with three calls"},
    {"S3-50", 7, "The gradients are added over all GPUs before `scaler.step`"},
    {"S3-51", 7, "One switch, `use_amp`, turns both objects on or off"},
    {"S3-52", 10, "Apex is kept for old scripts"},
    {"S3-53", 10, "part of PyTorch since 1.6.0"},
    {"S3-54", 10, "(https://pytorch.org/blog/accelerating-training-on-nvidia-gpus"},
    {"S3-55", 10, "a larger model is trained in the same time"},
    {"S4-21", 7, "it divides, it checks, and only then it steps"},
};

QString placeholder(const char* figure, const char* fact) {
  return QStringLiteral("{%1.%2}").arg(QLatin1String(figure), QLatin1String(fact));
}

QString name_of_row(const char* row, int lesson, const char* what) {
  return QStringLiteral("%1, lesson %2, %3").arg(QLatin1String(row)).arg(lesson).arg(QLatin1String(what));
}

/// All that a figure shows as text: its words, its table, and the texts beside its bars.
QString shown_texts(const lessons::FigureData& data) {
  QStringList texts{QString::fromStdString(data.text)};
  for (const auto& row : data.table.rows) {
    for (const std::string& cell : row) texts << QString::fromStdString(cell);
  }
  for (const lessons::Panel& panel : data.panels) {
    for (const lessons::Bar& bar : panel.bars) texts << QString::fromStdString(bar.text);
  }
  return texts.join(QLatin1Char('\n'));
}

/// Whether a number stands in a text by itself or as an exponent of 2, and not as a part of another one.
bool stands_in(const QString& number, const QString& text) {
  const QRegularExpression whole(
      QStringLiteral("(?<![\\w.^-])(2\\^)?%1(?![\\w^]|\\.\\d)").arg(QRegularExpression::escape(number)));
  return whole.match(text).hasMatch();
}

}  // namespace

lessons::FigureData GoldenValues::figure(int number, const QString& name) const {
  for (const lessons::Figure* each : lessons::blocks_of<lessons::Figure>(lesson(number).lesson)) {
    if (each->name == name.toStdString()) return lessons::compute(*each->kind, each->parameters);
  }
  return {};
}

void GoldenValues::initTestCase() {
  const QDir folder(QStringLiteral(BINADE_SOURCE_DIR "/resources/lessons"));
  const QStringList files = folder.entryList({QStringLiteral("*.md")}, QDir::Files, QDir::Name);
  QCOMPARE(files.size(), 11);
  for (const QString& name : files) {
    QFile file(folder.filePath(name));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray source = file.readAll();
    auto read = lessons::read_lesson(source.toStdString(), name.toStdString());
    QVERIFY2(std::holds_alternative<lessons::Lesson>(read), qPrintable(name));
    texts_.push_back({QString::fromUtf8(source), std::get<lessons::Lesson>(std::move(read))});
  }
}

void GoldenValues::standInLessons_data() {
  QTest::addColumn<std::size_t>("index");
  for (std::size_t i = 0; i < std::size(kGolden); ++i) {
    const Golden& each = kGolden[i];
    const QString name = name_of_row(each.row, each.lesson, qPrintable(placeholder(each.figure, each.fact)));
    QTest::newRow(qPrintable(name)) << i;
  }
}

void GoldenValues::standInLessons() {
  QFETCH(const std::size_t, index);
  const Golden& golden = kGolden[index];
  QVERIFY(lesson(golden.lesson).source.contains(placeholder(golden.figure, golden.fact)));
  const lessons::FigureData data = figure(golden.lesson, QLatin1String(golden.figure));
  const lessons::Fact* fact = data.fact(golden.fact);
  QVERIFY(fact != nullptr);
  QCOMPARE(fact->text, std::string(golden.text));
  // Decimal values of a row are rounded to seven digits; all others are exact.
  const bool same = fact->value == golden.value || std::fabs(fact->value / golden.value - 1) < 1e-7;
  QVERIFY2(same, QByteArray::number(fact->value, 'g', 17).constData());
}

void GoldenValues::statementsStandInLessons_data() {
  QTest::addColumn<int>("number");
  QTest::addColumn<QString>("words");
  for (const Statement& each : kStatements) {
    QTest::newRow(qPrintable(name_of_row(each.row, each.lesson, each.words)))
        << each.lesson << QString::fromUtf8(each.words);
  }
}

void GoldenValues::statementsStandInLessons() {
  QFETCH(const int, number);
  QFETCH(const QString, words);
  QVERIFY(lesson(number).source.contains(words));
}

/// Lesson 11 is no row of the features: its values are those of torchao's conversions, which tests/scaled compares.
void GoldenValues::blocksAndTheirOutliers() {
  const auto shows = [&](const char* name, const char* fact, const char* text) {
    QVERIFY2(lesson(11).source.contains(placeholder(name, fact)), fact);
    QCOMPARE(figure(11, QLatin1String(name)).fact(fact)->text, std::string(text));
  };
  shows("block", "mxfp8_zero", "0");
  shows("block", "mxfp4_zero", "21");
  shows("block", "nvfp4_zero", "9");
  shows("block", "nvfp4_far_zero", "1");
  shows("block", "mxfp8_scale", "0.0625");
  shows("block", "mxfp4_scale", "4");
  shows("block", "nvfp4_scale", "2.6666667");
  shows("block", "mxfp8_error", "2.94 %");
  shows("block", "mxfp4_error", "65.3 %");
  shows("block", "nvfp4_error", "27.5 %");
  shows("block", "mxfp8_hadamard_error", "7.72 %");
  shows("block", "mxfp4_hadamard_zero", "3");
  shows("block", "mxfp4_hadamard_error", "33.5 %");
  shows("block", "nvfp4_hadamard_error", "27.3 %");
  shows("large", "mxfp4_zero", "31");
  shows("large", "mxfp4_hadamard_error", "84.6 %");
  shows("large", "nvfp4_hadamard_error", "107 %");
}

void GoldenValues::everyTaughtRowIsThere() {
  QFile file(QStringLiteral(BINADE_SOURCE_DIR "/tests/features.csv"));
  QVERIFY(file.open(QIODevice::ReadOnly));
  QSet<QString> taught;
  for (const Golden& each : kGolden) taught.insert(QLatin1String(each.row));
  for (const Statement& each : kStatements) taught.insert(QLatin1String(each.row));
  static const QRegularExpression row(QStringLiteral("^(S3|S4)-(\\d\\d),"));
  int rows = 0;
  for (const QString& line : QString::fromUtf8(file.readAll()).split(QLatin1Char('\n'))) {
    const QRegularExpressionMatch match = row.match(line);
    if (!match.hasMatch()) continue;
    const int number = match.captured(2).toInt();
    const bool talk = match.captured(1) == QLatin1String("S3");
    if (talk ? number < 6 || number > 56 : number < 16 || number > 26) continue;
    ++rows;
    const QString id = match.captured(1) + QLatin1Char('-') + match.captured(2);
    QVERIFY2(taught.remove(id), qPrintable(id));
  }
  QCOMPARE(rows, 51 + 11);
  QVERIFY2(taught.isEmpty(), qPrintable(QStringList(taught.values()).join(QLatin1Char(' '))));
}

void GoldenValues::float32SumsErrLessThanOneRounding() {
  const lessons::FigureData dots = figure(3, QStringLiteral("dots"));
  QVERIFY(dots.fact("stored_error")->value < dots.fact("one_rounding")->value);
  QVERIFY(dots.fact("narrow_error")->value > 100 * dots.fact("one_rounding")->value);
  QCOMPARE(dots.fact("one_rounding")->value, 100 * 0x1p-11);
}

void GoldenValues::everyNumberOfATextStandsInItsFigure() {
  static const QRegularExpression used(QStringLiteral("\\{([a-z0-9_-]+)\\.(\\w+)\\}"));
  int numbers = 0;
  for (int number = 1; number <= static_cast<int>(texts_.size()); ++number) {
    for (const QRegularExpressionMatch& match : used.globalMatch(lesson(number).source)) {
      const lessons::FigureData data = figure(number, match.captured(1));
      const lessons::Fact* fact = data.fact(match.captured(2).toStdString());
      QVERIFY2(fact != nullptr, qPrintable(match.captured()));
      const QString where = QStringLiteral("lesson %1: %2").arg(number).arg(match.captured());
      QVERIFY2(stands_in(QString::fromStdString(fact->text), shown_texts(data)), qPrintable(where));
      ++numbers;
    }
  }
  QVERIFY(numbers > 100);
  QVERIFY(stands_in(QStringLiteral("6"), QStringLiteral("from 2^6 on")));
  for (const char* other : {"16", "2^-6", "6.5", "6^2", "-6"}) {
    QVERIFY2(!stands_in(QStringLiteral("6"), QLatin1String(other)), other);
  }
}

/// A caption is read beside *Show figure* while the figure itself is still covered.
void GoldenValues::captionsNameNoResultBeforeThePrediction() {
  for (const Text& text : texts_) {
    bool asked = false;
    for (const QString& line : text.source.split(QLatin1Char('\n'))) {
      if (line.startsWith(QLatin1String("```predict"))) asked = true;
      if (line.startsWith(QLatin1String("## "))) asked = false;
      QVERIFY2(!asked || !line.startsWith(QLatin1String("caption:")) || !line.contains(QLatin1Char('{')),
               qPrintable(line));
    }
    for (const lessons::Figure* figure : lessons::blocks_of<lessons::Figure>(text.lesson)) {
      QVERIFY2(figure->caption.size() > 10 && figure->caption.back() == '.', figure->name.c_str());
    }
  }
}

BINADE_SUITE(GoldenValues);

}  // namespace binade::test

#include "tst_golden_values.moc"
