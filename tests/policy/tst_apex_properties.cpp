// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/apex_properties.h"
#include "tests/support/suite.h"

using namespace binade;
using policy::ApexOverrides;
using policy::ApexProperties;
using policy::ModelCast;

namespace {

const char* const kLevels[] = {"O0", "O1", "O2", "O3"};

/// What an override does at O0, O1, O2, O3: `ok` or a piece of the error's text.
struct Cell {
  QString name;
  ApexOverrides overrides;
  std::array<QString, 4> answers;
  std::optional<double> loss_scale = std::nullopt;  ///< that the override means; empty: dynamic
};

std::vector<Cell> matrix() {
  const QString ok = QStringLiteral("ok");
  const QString weights = QStringLiteral("model weights themselves should remain FP32; cast_model_type was torch.");
  const QString patch = QStringLiteral("should only be set by selecting opt_level O1");
  const QString norms = QStringLiteral("keep_batchnorm_fp32 should not be given; keep_batchnorm_fp32 was ");
  const QString boolean = QStringLiteral("must be a boolean, the string 'True' or 'False'");
  const QString masters = QStringLiteral("It doesn't make sense to use master_weights with O1");
  const QString number = QStringLiteral("could not convert string to float: ");
  const std::array<QString, 4> all{ok, ok, ok, ok};
  std::vector<Cell> cells;
  const auto cast = [](std::optional<formats::Format> format) { return ApexOverrides{.cast_model_type{{format}}}; };
  cells.push_back({"cast float32", cast(formats::kFloat32), all});
  cells.push_back({"cast False", cast(std::nullopt), all});
  cells.push_back({"cast float16", cast(formats::kFloat16), {ok, weights + "float16", ok, ok}});
  cells.push_back({"cast bfloat16", cast(formats::kBFloat16), {ok, weights + "bfloat16", ok, ok}});
  cells.push_back({"patch True", {.patch_torch_functions = true}, {patch, ok, patch, patch}});
  cells.push_back({"patch False", {.patch_torch_functions = false}, all});
  cells.push_back({"norm true", {.keep_batchnorm_fp32 = true}, {ok, norms + "True", ok, ok}});
  cells.push_back({"norm false", {.keep_batchnorm_fp32 = false}, {ok, norms + "False", ok, ok}});
  cells.push_back({"norm 'True'", {.keep_batchnorm_fp32 = "True"}, {ok, norms + "True", ok, ok}});
  cells.push_back({"norm 'False'", {.keep_batchnorm_fp32 = "False"}, {ok, norms + "False", ok, ok}});
  cells.push_back({"norm 'yes'", {.keep_batchnorm_fp32 = "yes"}, {boolean, norms + "yes", boolean, boolean}});
  cells.push_back({"masters true", {.master_weights = true}, {ok, masters, ok, ok}});
  cells.push_back({"masters false", {.master_weights = false}, {ok, masters, ok, ok}});
  cells.push_back({"scale 'dynamic'", {.loss_scale = "dynamic"}, all});
  cells.push_back({"scale 128", {.loss_scale = 128.0}, all, 128.0});
  cells.push_back({"scale '128.0'", {.loss_scale = "128.0"}, all, 128.0});
  cells.push_back({"scale ' 1e3 '", {.loss_scale = " 1e3 "}, all, 1000.0});
  cells.push_back({"scale 0", {.loss_scale = 0.0}, all, 0.0});
  cells.push_back({"scale -2", {.loss_scale = "-2"}, all, -2.0});
  const QString text = number + "'128 x'";
  cells.push_back({"scale '128 x'", {.loss_scale = "128 x"}, {text, text, text, text}});
  const QString empty = number + "''";
  cells.push_back({"scale ''", {.loss_scale = ""}, {empty, empty, empty, empty}});
  return cells;
}

}  // namespace

// The seven properties of Apex's levels, and which overrides each level takes.
class ApexLevels : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void beforeAnyLevel();
  void sevenPropertiesOfEveryLevel();
  void overridesOfEveryLevel_data();
  void overridesOfEveryLevel();
  void acceptedOverridesReplaceTheDefault();
  void nothingGivenKeepsTheDefault();
  void textsAreParsed();
  void unknownLevelsAreRefusedWithTheLetter();
  void hardOverrideWarnsAndTakesTheValue();
  void linesAreApexs();
  void everyLevelHasABrief();
};

void ApexLevels::beforeAnyLevel() {
  const ApexProperties none;
  QVERIFY(!none.enabled && !none.opt_level && !none.cast_model_type && !none.patch_torch_functions);
  QVERIFY(!none.keep_batchnorm_fp32 && !none.master_weights);
  QCOMPARE(none.loss_scale, std::optional<double>(1.0));
}

void ApexLevels::sevenPropertiesOfEveryLevel() {
  const ModelCast single{formats::kFloat32};
  const ModelCast half{formats::kFloat16};
  QVERIFY(policy::apex_defaults("O0") == (ApexProperties{true, "O0", single, false, std::nullopt, false, 1.0}));
  QVERIFY(policy::apex_defaults("O1") ==
          (ApexProperties{true, "O1", std::nullopt, true, std::nullopt, std::nullopt, std::nullopt}));
  QVERIFY(policy::apex_defaults("O2") == (ApexProperties{true, "O2", half, false, true, true, std::nullopt}));
  QVERIFY(policy::apex_defaults("O3") == (ApexProperties{true, "O3", half, false, false, false, 1.0}));
}

void ApexLevels::overridesOfEveryLevel_data() {
  QTest::addColumn<int>("cell");
  QTest::addColumn<int>("level");
  const auto cells = matrix();
  for (std::size_t cell = 0; cell < cells.size(); ++cell) {
    for (int level = 0; level < 4; ++level) {
      QTest::addRow("%s at %s", qPrintable(cells[cell].name), kLevels[level]) << static_cast<int>(cell) << level;
    }
  }
}

void ApexLevels::overridesOfEveryLevel() {
  QFETCH(int, cell);
  QFETCH(int, level);
  const Cell one = matrix()[static_cast<std::size_t>(cell)];
  const QString& wanted = one.answers[static_cast<std::size_t>(level)];
  QString answer = QStringLiteral("ok");
  try {
    policy::apex_properties(kLevels[level], one.overrides);
  } catch (const Error& error) {
    answer = QString::fromUtf8(error.what());
    QVERIFY(error.code == ErrorCode::kUsage);
  }
  if (wanted == "ok") {
    QCOMPARE(answer, wanted);
  } else {
    QVERIFY2(answer.contains(wanted), qPrintable(answer));
  }
}

void ApexLevels::acceptedOverridesReplaceTheDefault() {
  for (const char* level : kLevels) {
    const ApexProperties defaults = policy::apex_defaults(level);
    for (const Cell& cell : matrix()) {
      if (cell.answers[static_cast<std::size_t>(level[1] - '0')] != "ok") continue;
      const ApexProperties changed = policy::apex_properties(level, cell.overrides);
      const ApexOverrides& given = cell.overrides;
      // What was given is there, and nothing else has changed.
      ApexProperties expected = defaults;
      if (given.cast_model_type) expected.cast_model_type = given.cast_model_type;
      if (given.patch_torch_functions) expected.patch_torch_functions = *given.patch_torch_functions;
      if (given.keep_batchnorm_fp32) expected.keep_batchnorm_fp32 = cell.name.contains("rue");
      if (given.master_weights) expected.master_weights = given.master_weights;
      if (given.loss_scale) expected.loss_scale = cell.loss_scale;
      QVERIFY2(changed == expected, qPrintable(cell.name + " at " + level));
    }
  }
}

void ApexLevels::nothingGivenKeepsTheDefault() {
  for (const char* level : kLevels) QVERIFY(policy::apex_properties(level, {}) == policy::apex_defaults(level));
  QCOMPARE(policy::apex_properties("O1", {.loss_scale = 128.0}).loss_scale, std::optional<double>(128.0));
}

void ApexLevels::textsAreParsed() {
  for (const char* level : kLevels) {
    QCOMPARE(policy::apex_properties(level, {.loss_scale = "128.0"}).loss_scale, std::optional<double>(128.0));
    QCOMPARE(policy::apex_properties(level, {.loss_scale = "+1e3"}).loss_scale, std::optional<double>(1000.0));
    QVERIFY(policy::apex_properties(level, {.loss_scale = "dynamic"}).is_dynamic());
  }
  QCOMPARE(policy::apex_properties("O3", {.keep_batchnorm_fp32 = "True"}).keep_batchnorm_fp32, std::optional(true));
  QCOMPARE(policy::apex_properties("O2", {.keep_batchnorm_fp32 = "False"}).keep_batchnorm_fp32, std::optional(false));
  // A C string is text, not a pointer that is not null.
  QVERIFY_THROWS_EXCEPTION(Error, policy::apex_properties("O2", {.keep_batchnorm_fp32 = "false"}));
}

void ApexLevels::unknownLevelsAreRefusedWithTheLetter() {
  for (const char* level : {"01", "O4", "o1", "", "O1 "}) {
    try {
      policy::apex_properties(level, {});
      QFAIL(level);
    } catch (const Error& error) {
      QCOMPARE(QString::fromUtf8(error.what()), QStringLiteral("Unexpected optimization level ") + level);
      QVERIFY(QString::fromStdString(error.hint).contains("the letter O, not the number zero"));
    }
  }
}

void ApexLevels::hardOverrideWarnsAndTakesTheValue() {
  std::vector<std::string> warnings;
  const auto warn = [&](const std::string& text) { warnings.push_back(text); };
  const ApexProperties forced = policy::apex_properties("O1", {.master_weights = true}, warn);
  QCOMPARE(forced.master_weights, std::optional(true));
  QCOMPARE(warnings.size(), std::size_t{1});
  QVERIFY(warnings[0].starts_with("Warning:  It doesn't make sense"));
  // What means nothing stays an error.
  QVERIFY_THROWS_EXCEPTION(Error, policy::apex_properties("O1", {.keep_batchnorm_fp32 = "yes"}, warn));
  QVERIFY_THROWS_EXCEPTION(Error, policy::apex_properties("O2", {.loss_scale = "much"}, warn));
}

void ApexLevels::linesAreApexs() {
  const std::vector<std::string> expected{"enabled                : True",          "opt_level              : O2",
                                          "cast_model_type        : torch.float16", "patch_torch_functions  : False",
                                          "keep_batchnorm_fp32    : True",          "master_weights         : True",
                                          "loss_scale             : dynamic"};
  QVERIFY(policy::apex_lines(policy::apex_defaults("O2")) == expected);
  QCOMPARE(policy::apex_lines(policy::apex_defaults("O1"))[2], std::string("cast_model_type        : None"));
  QCOMPARE(policy::apex_lines(policy::apex_defaults("O3"))[6], std::string("loss_scale             : 1.0"));
  QCOMPARE(policy::apex_lines(policy::apex_properties("O3", {.loss_scale = 65536.0}))[6],
           std::string("loss_scale             : 65536.0"));
}

void ApexLevels::everyLevelHasABrief() {
  QCOMPARE(policy::apex_brief("O0"), std::string_view("Pure FP32 training."));
  QCOMPARE(policy::apex_brief("O1"),
           std::string_view("Insert automatic casts around Pytorch functions and Tensor methods."));
  QCOMPARE(policy::apex_brief("O2"), std::string_view("FP16 training with FP32 batchnorm and FP32 master weights."));
  QCOMPARE(policy::apex_brief("O3"), std::string_view("Pure FP16 training."));
}

BINADE_SUITE(ApexLevels);
#include "tst_apex_properties.moc"
