// SPDX-License-Identifier: Apache-2.0
#include "engine/lessons/compute_figure.h"
#include "engine/lessons/figure_parts.h"
#include "tests/support/places.h"
#include "tests/support/suite.h"

#include <QFile>

#include <cmath>
#include <set>
#include <string>
#include <vector>

namespace binade::test {

// What holds for every kind of figure.
class FigureKinds : public Suite {
  Q_OBJECT

 private Q_SLOTS:
  void namesAndPresetsAreValid();
  void everyKind_data();
  void everyKind();
  void slidersReachTheirEnds_data() { everyKind_data(); }
  void slidersReachTheirEnds();
  void limitsOfParametersAreKept_data();
  void limitsOfParametersAreKept();
  void limitsAreAccepted_data() { everyKind_data(); }
  void limitsAreAccepted();
  void extremesOfParametersGiveAFigure_data() { everyKind_data(); }
  void extremesOfParametersGiveAFigure();
  void numbersKeepTheirWholeDigits();
  void theGuideListsEveryKind();
};

namespace {

const lessons::FigureKind& kind_of(const QString& name) {
  return *lessons::find_kind(name.toStdString());
}

void replace_all(std::string& text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

/// Names of the facts that the table of a kind promises for its presets.
std::set<std::string> promised_facts(const lessons::FigureKind& kind) {
  const lessons::Parameters parameters(kind);
  std::vector<formats::Format> formats = {formats::kFloat16};
  if (lessons::find_parameter(kind, "formats")) formats = parameters.formats("formats");
  const std::size_t values =
      lessons::find_parameter(kind, "values") && kind.name == "rounding" ? parameters.numbers("values").size() : 1;
  std::set<std::string> names;
  for (const lessons::FactKind& fact : kind.facts) {
    for (const formats::Format& format : formats) {
      for (std::size_t i = 0; i < values; ++i) {
        for (int element = 0; element < 16; ++element) {
          std::string name(fact.name);
          replace_all(name, "FORMAT", formats::name(format));
          replace_all(name, "N", std::to_string(i + 1));
          replace_all(name, "RC", std::to_string(element / 4 + 1) + std::to_string(element % 4 + 1));
          names.insert(name);
        }
      }
    }
  }
  return names;
}

bool same_number(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

}  // namespace

void FigureKinds::namesAndPresetsAreValid() {
  std::set<std::string_view> names;
  for (const lessons::FigureKind& kind : lessons::figure_kinds()) {
    QVERIFY(names.insert(kind.name).second);
    QVERIFY(kind.compute && !kind.facts.empty() && kind.doc.back() == '.');
    for (const lessons::ParameterKind& parameter : kind.parameters) {
      const auto value = lessons::parse_parameter(parameter, parameter.preset);
      QVERIFY2(std::holds_alternative<lessons::Parameters::Value>(value), std::string(parameter.name).c_str());
      QVERIFY(parameter.doc.back() == '.');
    }
    if (!kind.has_slider()) continue;
    const lessons::ParameterKind* moved = lessons::find_parameter(kind, kind.slider.parameter);
    QVERIFY(moved);
    const auto at = [&](double value) { return kind.slider.exponent ? std::exp2(value) : value; };
    QVERIFY(at(kind.slider.low) >= moved->low && at(kind.slider.high) <= moved->high);
  }
}

void FigureKinds::everyKind_data() {
  QTest::addColumn<QString>("name");
  for (const lessons::FigureKind& kind : lessons::figure_kinds()) {
    const std::string name(kind.name);
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
}

void FigureKinds::everyKind() {
  QFETCH(QString, name);
  const lessons::FigureKind& kind = kind_of(name);
  const lessons::FigureData data = lessons::compute(kind, lessons::Parameters(kind));
  QVERIFY(!data.title.empty() && data.text.size() > 40 && data.text.back() == '.');
  QVERIFY(!data.table.rows.empty());
  for (const auto& row : data.table.rows) QCOMPARE(row.size(), data.table.heads.size());
  std::set<std::string> names;
  for (const lessons::Fact& fact : data.facts) {
    QVERIFY2(names.insert(fact.name).second, fact.name.c_str());
    QVERIFY2(!fact.text.empty(), fact.name.c_str());
  }
  QVERIFY(names == promised_facts(kind));
  for (const lessons::Panel& panel : data.panels) {
    for (const lessons::Axis& axis : {panel.x, panel.y}) {
      QVERIFY(axis.low < axis.high);
      QVERIFY(axis.scale == lessons::AxisScale::kLinear || axis.low > 0);
    }
    for (const lessons::Bar& bar : panel.bars) QVERIFY(bar.row < panel.bar_labels.size());
  }
  const lessons::FigureData again = lessons::compute(kind, lessons::Parameters(kind));
  QCOMPARE(again.text, data.text);
  QCOMPARE(again.facts.size(), data.facts.size());
  for (std::size_t i = 0; i < data.facts.size(); ++i) QVERIFY(same_number(again.facts[i].value, data.facts[i].value));
}

void FigureKinds::slidersReachTheirEnds() {
  QFETCH(QString, name);
  const lessons::FigureKind& kind = kind_of(name);
  const lessons::Parameters parameters(kind);
  if (!kind.has_slider()) {
    QVERIFY(!lessons::compute(kind, parameters).slider);
    return;
  }
  for (const double end : {kind.slider.low, kind.slider.high}) {
    const lessons::FigureData data = lessons::compute(kind, parameters, end);
    QCOMPARE(data.slider->value, end);
    QCOMPARE(data.slider->exponent, kind.slider.exponent);
  }
  QCOMPARE(lessons::compute(kind, parameters, 1e9).slider->value, kind.slider.high);
  QVERIFY(lessons::compute(kind, parameters, kind.slider.low).text !=
          lessons::compute(kind, parameters, kind.slider.high).text);
}

void FigureKinds::limitsOfParametersAreKept_data() {
  QTest::addColumn<QString>("kind");
  QTest::addColumn<QString>("parameter");
  QTest::addColumn<QString>("value");
  QTest::addColumn<QString>("part");
  const auto add = [](const char* kind, const char* parameter, const char* value, const char* part) {
    QTest::addRow("%s %s %s", kind, parameter, value)
        << QString(kind) << QString(parameter) << QString(value) << QString(part);
  };
  add("sum", "count", "0", "1 to 65536");
  add("sum", "count", "70000", "1 to 65536");
  add("sum", "count", "2.5", "whole number");
  add("sum", "count", "many", "number");
  add("sum", "value", "nan", "number from");
  add("sum", "value", "", "");
  add("sum", "format", "float17", "float16");
  add("sum", "format", "e9m3", "exponent bits");
  add("sum", "format", "float16 bfloat16", "2 formats");
  add("mma", "a", "15x1", "15 numbers");
  add("mma", "a", "17x1", "17 numbers");
  add("scaler", "maxima", "99999999999x1", "numbers");
  add("scaler", "maxima", "99999999999999999999999x1", "");
  add("scaler", "maxima", "-1", "0 to inf");
  add("ruler", "formats", "", "0 formats");
}

void FigureKinds::limitsOfParametersAreKept() {
  QFETCH(QString, kind);
  QFETCH(QString, parameter);
  QFETCH(QString, value);
  QFETCH(QString, part);
  const lessons::ParameterKind* known = lessons::find_parameter(kind_of(kind), parameter.toStdString());
  QVERIFY(known);
  const auto read = lessons::parse_parameter(*known, value.toStdString());
  const auto* wrong = std::get_if<lessons::NotAValue>(&read);
  QVERIFY(wrong);
  QVERIFY(!wrong->message.empty() && !wrong->hint.empty());
  const std::string whole = wrong->message + ' ' + wrong->hint;
  QVERIFY2(whole.find(part.toStdString()) != std::string::npos, whole.c_str());
}

void FigureKinds::limitsAreAccepted() {
  QFETCH(QString, name);
  for (const lessons::ParameterKind& parameter : kind_of(name).parameters) {
    using Type = lessons::ParameterType;
    if (parameter.type == Type::kFormat || parameter.type == Type::kFormats) continue;
    for (const double limit : {parameter.low, parameter.high}) {
      // As the guide writes it.
      std::string text = lessons::number_text(limit);
      if (parameter.type == Type::kNumbers) text = std::to_string(parameter.fewest) + 'x' + text;
      const auto read = lessons::parse_parameter(parameter, text);
      const auto* wrong = std::get_if<lessons::NotAValue>(&read);
      QVERIFY2(!wrong, wrong ? wrong->message.c_str() : "");
    }
  }
}

void FigureKinds::extremesOfParametersGiveAFigure() {
  QFETCH(QString, name);
  const lessons::FigureKind& kind = kind_of(name);
  for (const lessons::ParameterKind& parameter : kind.parameters) {
    using Type = lessons::ParameterType;
    lessons::Parameters parameters(kind);
    const auto compute_with = [&](lessons::Parameters::Value value) {
      parameters.set(std::string(parameter.name), std::move(value));
      const lessons::FigureData data = lessons::compute(kind, parameters);
      QVERIFY(!data.text.empty());
      for (const lessons::Fact& fact : data.facts) QVERIFY(!fact.text.empty());
      if (!data.slider) return;
      QVERIFY(data.slider->low <= data.slider->value && data.slider->value <= data.slider->high);
    };
    if (parameter.type == Type::kNumber || parameter.type == Type::kCount) {
      compute_with(parameter.low);
      compute_with(parameter.high);
    } else if (parameter.type == Type::kNumbers) {
      compute_with(std::vector<double>(parameter.fewest, parameter.low));
      compute_with(std::vector<double>(parameter.fewest, parameter.high));
    } else {
      compute_with(std::vector<formats::Format>{{2, 1}});
      compute_with(std::vector<formats::Format>{{8, 23}});
      compute_with(std::vector<formats::Format>{formats::kFloat8E4M3fn});
    }
  }
}

void FigureKinds::numbersKeepTheirWholeDigits() {
  QCOMPARE(lessons::number_text(123456789.25), std::string("123456789.25"));
  QCOMPARE(lessons::number_text(-16777217.5), std::string("-16777217.5"));
  QCOMPARE(lessons::number_text(65519.99609375), std::string("65519.996"));
  QCOMPARE(lessons::number_text(0.1F), std::string("0.1"));
  QCOMPARE(lessons::number_text(3.4028234663852886e38), std::string("3.4028235e38"));
  QCOMPARE(lessons::number_text(0x1.ffffffp127), std::string("3.4028236e38"));  // from here on, float32 is infinite
}

void FigureKinds::theGuideListsEveryKind() {
  QFile page(QStringLiteral(BINADE_SOURCE_DIR "/docs/guide/lessons.md"));
  QVERIFY(page.open(QIODevice::ReadOnly));
  const QByteArray list = QByteArray::fromStdString(lessons::kinds_markdown());
  const QByteArray expected = "The page must end with this text:\n" + list;
  QVERIFY2(page.readAll().endsWith("\n\n" + list), expected.constData());
}

BINADE_SUITE(FigureKinds);

}  // namespace binade::test

#include "tst_figure_kinds.moc"
