// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/targets/csv_rows.h"
#include "engine/targets/proof.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

#include <algorithm>

using namespace binade;
using policy::Base;
using policy::Policy;
using targets::Assignment;
using targets::CsvRow;
using targets::Read;

namespace {

std::string textFor(const char* target, const Assignment& assignment) {
  return test::targetOf(target).write(assignment).text;
}

Read readBy(const char* target, const std::string& text, const Assignment& model) {
  return test::targetOf(target).read(text, "list.csv", model);
}

/// The message and hint of the refusal of a CSV text; empty if it was accepted.
std::string refusal(const std::string& text, const Assignment& model) {
  try {
    readBy("csv", text, model);
    return {};
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint;
  }
}

std::string textOf(const std::vector<CsvRow>& rows) {
  std::string text;
  for (const CsvRow& row : rows) text += targets::csv_row(row.fields);
  return text;
}

std::size_t columnOf(const std::vector<CsvRow>& rows, const char* name) {
  const auto& names = rows.front().fields;
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), name) - names.begin());
}

/// The field of the first row with this op.
std::string& fieldOf(std::vector<CsvRow>& rows, const char* op, const char* column) {
  const std::size_t ops = columnOf(rows, "op");
  const auto row = std::find_if(rows.begin(), rows.end(), [&](const CsvRow& each) { return each.fields[ops] == op; });
  return row->fields[columnOf(rows, column)];
}

Assignment withoutChanges() {
  return test::assigned(test::startingFrom(Base::kCudaAmp, formats::kBFloat16));
}

/// The rows of the CSV file of a policy without changes, and what they read as after an edit.
std::vector<CsvRow> plainRows() {
  return targets::csv_rows(textFor("csv", withoutChanges()), "list.csv");
}

bool mentions(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

class JsonCsvTargets : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void jsonLosesNothing() {
    for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
      const Assignment assignment = test::assigned(each.policy);
      const targets::Written made = test::targetOf("json").write(assignment);
      QVERIFY(made.findings.empty());
      QVERIFY2(readBy("json", made.text, assignment).policy == each.policy, each.name);
      QVERIFY(mentions(made.text, "\"$schema\": \"policy.schema.json\""));
    }
  }

  void csvKeepsTheTreatmentOfEveryOpCall() {
    for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
      const Assignment assignment = test::assigned(each.policy);
      const targets::Written made = test::targetOf("csv").write(assignment);
      const targets::Proof proof = targets::prove(test::targetOf("csv"), made, assignment);
      QVERIFY2(proof.exact(),
               (each.name + std::string(": ") + (proof.undeclared.empty() ? "" : proof.undeclared[0])).c_str());
    }
  }

  void csvHasALineForEachOpCallAndEachRuleForACall() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.sites.push_back({});
    policy.sites[0].match = "cell/aten::linear#0";
    policy.sites[0].call = 2;
    const Assignment assignment = test::assigned(policy);
    const std::string text = textFor("csv", assignment);
    QVERIFY(
        text.starts_with("path,method,op,overload,ordinal,call,treatment,format,gradients,overflow,decided_by,source,"
                         "base,low,behaviour\r\n"));
    QVERIFY(mentions(text,
                     "layer1.conv,_conv_forward,aten::conv2d,,0,,format,bfloat16,bfloat16,infinity,cuda-amp,"
                     "model.py:10,cuda-amp,bfloat16,fixed\r\n"));
    QVERIFY(mentions(text, "cell,,aten::linear,,0,2,format,float32,float32,infinity,sites[0],"));
    QCOMPARE(targets::csv_rows(text, "").size(), assignment.keys.size() + 2);
  }

  void csvKeepsChangesOfOps() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.ops["aten::linear"] = formats::kFloat32;
    policy.ops["aten::add.Tensor"] = policy::Treatment::kPromote;
    const Assignment assignment = test::assigned(policy);
    const Policy back = readBy("csv", textFor("csv", assignment), assignment).policy;
    QVERIFY(back.ops == policy.ops);
    QVERIFY(back.sites.empty());
  }

  void anEditedLineBecomesARule() {
    std::vector<CsvRow> rows = plainRows();
    fieldOf(rows, "aten::layer_norm", "format") = "bfloat16";
    fieldOf(rows, "aten::layer_norm", "gradients") = "float16";
    const Policy policy = readBy("csv", textOf(rows), withoutChanges()).policy;
    QCOMPARE(policy.sites.size(), std::size_t{1});
    QCOMPARE(policy.sites[0].match, std::string("head.norm/aten::layer_norm#0"));
    QVERIFY(policy.sites[0].format == formats::kBFloat16);
    QVERIFY(policy.sites[0].backward == formats::kFloat16);
  }

  void spreadsheetsMaySortAndRewriteTheFile() {
    Policy policy = test::startingFrom(Base::kCudaAmp, formats::kBFloat16);
    policy.sites.resize(2);
    policy.sites[0].match = "cell/aten::linear#0";
    policy.sites[0].format = formats::kFloat16;
    policy.sites[1].match = "cell/aten::linear#0";
    policy.sites[1].call = 1;
    const Assignment assignment = test::assigned(policy);
    std::vector<CsvRow> rows = targets::csv_rows(textFor("csv", assignment), "");
    std::reverse(rows.begin() + 1, rows.end());
    for (CsvRow& row : rows) {  // another order of columns, and one of the reader's own
      std::reverse(row.fields.begin(), row.fields.end());
      row.fields.push_back("my remark");
    }
    std::string text = "\xef\xbb\xbf" + textOf(rows);
    text.erase(std::remove(text.begin(), text.end(), '\r'), text.end());
    const Read back = readBy("csv", text, assignment);
    QVERIFY(back.policy.sites == policy.sites);
    QCOMPARE(back.findings.size(), std::size_t{1});
    QVERIFY(mentions(back.findings[0].message, "\"my remark\""));
  }

  void opCallsOfAnotherModelAreNotes() {
    std::vector<CsvRow> rows = plainRows();
    fieldOf(rows, "aten::layer_norm", "path") = "other";
    const Read back = readBy("csv", textOf(rows), withoutChanges());
    QCOMPARE(back.findings.size(), std::size_t{2});
    QCOMPARE(back.findings[0].sites, std::vector<std::string>{"other/aten::layer_norm#0"});
    QCOMPARE(back.findings[1].sites, std::vector<std::string>{"head.norm/aten::layer_norm#0"});
    for (CsvRow& row : rows) {
      if (&row != &rows.front()) row.fields[columnOf(rows, "path")].insert(0, "elsewhere.");
    }
    QVERIFY(mentions(refusal(textOf(rows), withoutChanges()), "lists no op call of model.pt"));
  }

  void aBadFieldIsNamedWithItsLine_data() {
    QTest::addColumn<QByteArray>("column");
    QTest::addColumn<QByteArray>("value");
    QTest::addColumn<QByteArray>("named");
    QTest::newRow("format") << QByteArray("format") << QByteArray("flaot32")
                            << QByteArray("unknown format \"flaot32\"");
    QTest::newRow("treatment") << QByteArray("treatment") << QByteArray("promot")
                               << QByteArray("Did you mean \"promote\"");
    QTest::newRow("overflow") << QByteArray("overflow") << QByteArray("clamp") << QByteArray("unknown overflow");
    QTest::newRow("ordinal") << QByteArray("ordinal") << QByteArray("first") << QByteArray("is not a count");
    QTest::newRow("call") << QByteArray("call") << QByteArray("-1") << QByteArray("is not a count");
    QTest::newRow("base") << QByteArray("base") << QByteArray("cuda") << QByteArray("is not a base list");
    QTest::newRow("another base") << QByteArray("base") << QByteArray("cpu-amp") << QByteArray("differ from line 2");
    QTest::newRow("behaviour") << QByteArray("behaviour") << QByteArray("new") << QByteArray("pytorch-2.11");
  }
  void aBadFieldIsNamedWithItsLine() {
    QFETCH(QByteArray, column);
    QFETCH(QByteArray, value);
    QFETCH(QByteArray, named);
    std::vector<CsvRow> rows = plainRows();
    fieldOf(rows, "aten::layer_norm", column.constData()) = value.toStdString();
    const std::string message = refusal(textOf(rows), withoutChanges());
    QVERIFY2(mentions(message, named.constData()), message.c_str());
    QVERIFY2(mentions(message, "list.csv: line 10: "), message.c_str());
  }

  void anEditedFormatBesideAnotherTreatmentIsRefused() {
    std::vector<CsvRow> rows = plainRows();
    QCOMPARE(fieldOf(rows, "aten::sum", "treatment"), std::string("set-dtype"));
    fieldOf(rows, "aten::sum", "format") = "bfloat16";
    const std::string message = refusal(textOf(rows), withoutChanges());
    QVERIFY2(mentions(message, "format is given, but the treatment is \"set-dtype\""), message.c_str());
    fieldOf(rows, "aten::sum", "treatment") = "format";
    QCOMPARE(refusal(textOf(rows), withoutChanges()), std::string());
  }

  void aRuleForOneOpCallCanOnlyNameAFormat() {
    std::vector<CsvRow> rows = plainRows();
    fieldOf(rows, "aten::tanh", "treatment") = "banned";
    const std::string message = refusal(textOf(rows), withoutChanges());
    QVERIFY2(mentions(message,
                      "list.csv: line 8: cell/aten::tanh#0 is stated as \"banned\", but a rule for one op call "
                      "can only name a format"),
             message.c_str());
  }

  void aMissingColumnAndATwiceListedOpCallAreRefused() {
    std::vector<CsvRow> rows = plainRows();
    rows.push_back(rows.back());
    QVERIFY(mentions(refusal(textOf(rows), withoutChanges()), "listed twice"));
    rows.pop_back();
    rows.back().fields.pop_back();
    QVERIFY(mentions(refusal(textOf(rows), withoutChanges()), "has 14 fields, where the first line has 15"));
    rows = plainRows();
    rows.front().fields[columnOf(rows, "treatment")] = "treatmnt";
    const std::string message = refusal(textOf(rows), withoutChanges());
    QVERIFY2(mentions(message, "the column \"treatment\" is missing"), message.c_str());
    QVERIFY2(mentions(message, "Did you mean \"treatmnt\""), message.c_str());
    QVERIFY(mentions(refusal("", withoutChanges()), "is empty"));
  }

  void fieldsAreQuotedAsRfc4180Says() {
    const std::vector<std::string> fields{"a,b", "say \"x\"", "two\r\nlines", "", " plain "};
    const std::string row = targets::csv_row(fields);
    QCOMPARE(row, std::string("\"a,b\",\"say \"\"x\"\"\",\"two\r\nlines\",, plain \r\n"));
    const std::vector<CsvRow> rows = targets::csv_rows(row + "\r\n" + row + "x", "");
    QCOMPARE(rows.size(), std::size_t{3});
    QCOMPARE(rows[0].fields, fields);
    QCOMPARE(rows[1].fields, fields);
    QCOMPARE(rows[1].line, std::size_t{4});  // after two lines of a field and an empty one
    QCOMPARE(rows[2].line, std::size_t{6});
    for (const char* bad : {"a,\"b", "\"a\"b,c\n"}) {
      QVERIFY_THROWS_EXCEPTION(Error, targets::csv_rows(bad, "list.csv"));
    }
  }
};

BINADE_SUITE(JsonCsvTargets);
#include "tst_json_csv.moc"
