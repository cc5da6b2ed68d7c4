// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/targets/proof.h"
#include "engine/targets/python_tables.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

#include <algorithm>

using namespace binade;
using policy::Base;
using policy::Policy;
using policy::SiteRule;
using targets::Assignment;
using targets::Finding;
using targets::PythonTables;
using targets::Written;
using Words = PythonTables::Words;

namespace {

Policy inFloat32(std::initializer_list<const char*> matches, Base base = Base::kCpuAmp) {
  Policy policy = test::startingFrom(base, formats::kBFloat16);
  for (const char* match : matches) {
    SiteRule rule;
    rule.match = match;
    policy.sites.push_back(rule);
  }
  return policy;
}

Policy inLow(const char* match, const formats::Format& format) {
  Policy policy = inFloat32({match}, Base::kAllFloat32);
  policy.sites.front().format = format;
  return policy;
}

PythonTables tablesOf(const Policy& policy) {
  return targets::python_tables(test::assigned(policy));
}

bool isInexpressible(const std::vector<Finding>& findings, const char* part, const char* site) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.kind == Finding::Kind::kInexpressible && finding.message.find(part) != std::string::npos &&
           std::find(finding.sites.begin(), finding.sites.end(), site) != finding.sites.end();
  });
}

bool holds(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

std::string refusalOf(const char* target, const std::string& text) {
  try {
    test::targetOf(target).read(text, "policy.py", test::assigned(Policy{}));
    return {};
  } catch (const Error& error) {
    return error.what();
  }
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  return text.replace(text.find(what), what.size(), with);
}

}  // namespace

class PyTorchTarget : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void readsBackEveryPolicyOrNamesTheOpCallsThatDiffer() {
    for (const char* name : {"pytorch", "cpp"}) {
      const targets::Target& target = test::targetOf(name);
      std::size_t compared = 0;
      for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
        const Assignment assignment = test::assigned(each.policy);
        const targets::Proof proof = targets::prove(target, target.write(assignment), assignment);
        for (const std::string& call : proof.undeclared) QFAIL((each.name + (": " + call)).c_str());
        compared += proof.op_calls;
      }
      qInfo("%s: %zu op calls of %zu policies", name, compared, test::policiesOfEveryKind().size());
    }
  }

  void leavesAPlainListToAutocast() {
    const PythonTables tables = tablesOf(test::startingFrom(Base::kCpuAmp, formats::kBFloat16));
    QCOMPARE(tables.low, std::string("bfloat16"));
    QVERIFY(!tables.needs_mode() && tables.regions.empty() && tables.cpu.empty() && tables.findings.empty());
    // CUDA's own region would treat these ops otherwise.
    QCOMPARE(tables.cuda.at("aten::softmax"), std::string("follow"));
    QVERIFY(!tables.cuda.contains("aten::linear"));
  }

  void namesWhatTheOtherDevicesListWouldDo() {
    const PythonTables tables = tablesOf(test::startingFrom(Base::kCudaAmp, formats::kFloat16));
    QVERIFY(tables.cuda.empty());
    QCOMPARE(tables.cpu.at("aten::softmax"), std::string("set-dtype"));
    QCOMPARE(tables.cpu.at("aten::layer_norm"), std::string("float32"));
  }

  void givesWholeModulesRegionsAndOpCallsEntries() {
    const PythonTables tables = tablesOf(inFloat32({"layer1", "fc", "head/aten::softmax#0"}));
    // The container adds two tensors itself, so a region around it would cast too early for exact gradients.
    QCOMPARE(tables.regions, (Words{{"fc", "float32"}, {"layer1.conv", "float32"}, {"layer1.norm", "float32"}}));
    QCOMPARE(
        tables.sites,
        (Words{{"head/aten::softmax", "float32"}, {"layer1/aten::add", "float32"}, {"layer1/aten::relu_", "float32"}}));
    QVERIFY(!tablesOf(inFloat32({"fc", "layer1.conv"})).needs_mode());
  }

  void givesASubtreeOneRegion() {
    Assignment assignment = test::assigned(inFloat32({"block"}), {{"block.a", "", "aten::linear", "", 0},
                                                                  {"block.act", "", "aten::relu", "", 0},
                                                                  {"block.act", "", "aten::relu", "", 1},
                                                                  {"block.b.norm", "", "aten::layer_norm", "", 0},
                                                                  {"block", "", "aten::relu_", "", 0}});
    assignment.sources.assign(assignment.keys.size(), "");
    const PythonTables tables = targets::python_tables(assignment);
    QCOMPARE(tables.regions, (Words{{"block", "float32"}}));
    QVERIFY(tables.sites.empty());
  }

  void usesALowRegionOnlyForOpsOnItsLists() {
    QCOMPARE(tablesOf(inLow("fc", formats::kBFloat16)).regions, (Words{{"fc", "bfloat16"}}));
    const PythonTables tables = tablesOf(inLow("head", formats::kFloat16));
    QVERIFY(tables.regions.empty());
    QCOMPARE(tables.sites.at("head/aten::softmax"), std::string("float16"));
  }

  void namesSingleOnesOfSeveralCallsWithTheirLines() {
    const Written written = test::targetOf("pytorch").write(test::assigned(inFloat32({"layer1/aten::add#1"})));
    QVERIFY(holds(written.text, "\"layer1/aten::add#1\": \"float32\""));
    QVERIFY(holds(written.text, "\"aten::add#1 float32 model.py:14\""));
  }

  void namesOverloadsThatAnEntryForTheirOpAlsoReaches() {
    // The CPU's list has no norm. CUDA's appends a dtype to one overload and leaves a made-up one alone.
    const std::vector<policy::SiteKey> keys{{"a", "", "aten::norm", "Scalar", 0}, {"a", "", "aten::norm", "other", 1}};
    const PythonTables tables =
        targets::python_tables(test::assigned(test::startingFrom(Base::kCudaAmp, formats::kFloat16), keys));
    QVERIFY(tables.cuda.empty());
    QCOMPARE(tables.cpu, (Words{{"aten::norm", "append-dtype"}}));
    QCOMPARE(tables.findings.size(), std::size_t{1});
    QVERIFY(holds(tables.findings[0].message, "all overloads of aten::norm run as \"append-dtype\""));
    QCOMPARE(tables.findings[0].sites, std::vector<std::string>{"a/aten::norm#1"});
  }

  void aRuleThatSaysTheSameAsTheListLeavesTheOtherDeviceItsEntry() {
    const PythonTables tables = tablesOf(inFloat32({"head.norm"}, Base::kCudaAmp));
    QVERIFY(tables.regions.empty() && tables.sites.empty());
    QCOMPARE(tables.cpu.at("aten::layer_norm"), std::string("float32"));
  }

  void notesChangesOfTheListsOps() {
    const Assignment assignment = test::assigned(test::startingFrom(Base::kCudaAmp, formats::kFloat16));
    const targets::Target& target = test::targetOf("pytorch");
    const std::string text = target.write(assignment).text;
    QVERIFY(target.read(text, "policy.py", assignment).findings.empty());
    const std::string word = "\"aten::softmax\": \"set-dtype\"";
    const std::string edited = replaced(text, word, "\"aten::softmax\": \"bfloat16\"");
    const targets::Read read = target.read(edited, "policy.py", assignment);
    QCOMPARE(read.findings.size(), std::size_t{1});
    QVERIFY(holds(read.findings[0].message, "(aten::softmax on cpu)"));
    QVERIFY(holds(refusalOf("pytorch", replaced(text, "    \"cuda\": {", "    \"gpu\": {")), "has no table cuda"));
  }

  void addsTheRuntimeAndNothingElse() {
    const Written written = test::targetOf("pytorch").write(test::assigned(Policy{}));
    QVERIFY(holds(written.text, "def apply(model, device=None):"));
    QVERIFY(holds(written.text, "def check(model, batch, device=None, report=print):"));
    QVERIFY(holds(written.text, "SCALER = {}"));
  }

  void namesWhatAGradScalerCannotDo() {
    wire::ScalerConfig scaler;
    scaler.init_scale = 1024;
    scaler.minimum = 1;
    scaler.hysteresis = 2;
    const Assignment assignment = test::assigned(Policy{}, test::madeUpModel(), scaler);
    for (const char* name : {"pytorch", "cpp"}) {
      const targets::Target& target = test::targetOf(name);
      const Written written = target.write(assignment);
      QVERIFY(targets::prove(target, written, assignment).scaler_equal);
      QCOMPARE(written.findings.size(), std::size_t{name[0] == 'p' ? 2U : 0U});
    }
  }

  void keepsEveryScalerSettingAndRefusesValuesOutOfRange() {
    wire::ScalerConfig scaler;
    scaler.init_scale = 1024;
    scaler.growth_interval = 500;
    scaler.minimum = 1;
    scaler.maximum = 4096;
    scaler.hysteresis = 2;
    scaler.fixed = true;
    scaler.enabled = false;
    const Assignment assignment = test::assigned(Policy{}, test::madeUpModel(), scaler);
    for (const char* name : {"pytorch", "cpp"}) {
      const targets::Target& target = test::targetOf(name);
      const std::string text = target.write(assignment).text;
      QVERIFY2(target.read(text, "policy", assignment).scaler == scaler, name);
      const bool table = name[0] == 'p';
      const auto refusal = [&](const char* setting, const char* value, const char* other) {
        const auto written = [&](const char* each) {
          return table ? '"' + std::string(setting) + "\": " + each : "." + std::string(setting) + " = " + each;
        };
        return refusalOf(name, replaced(text, written(value), written(other)));
      };
      QVERIFY(holds(refusal("growth_interval", "500", "1e300"), "growth_interval is not a count"));
      QVERIFY(holds(refusal("growth_interval", "500", "1.5"), "growth_interval is not a count"));
      QVERIFY(holds(refusal("hysteresis", "2", "-2"), "hysteresis is not a positive number"));
      QVERIFY(holds(refusal("init_scale", "1024", "-5"), "init_scale is not a positive number"));
      QVERIFY(holds(refusal("minimum", "1", "-1"), "minimum is not a positive number"));
      QVERIFY(holds(refusal("growth_interval", "500", "\"x\""), "growth_interval is not a number"));
      QVERIFY(holds(refusalOf(name, replaced(text, "init_scale", "initial")), "initial"));
    }
  }

  void namesInCommentsAreNoMarks() {
    Assignment assignment = test::assigned(inFloat32({"fc"}));
    assignment.policy.name = "# --- end of tables ---";
    assignment.model =
        "a\n# --- end of tables ---\n# --- tables: Binade reads back what is between these two lines ---";
    const targets::Target& target = test::targetOf("pytorch");
    const Written written = target.write(assignment);
    QVERIFY(holds(written.text, "# Policy: # --- end of tables ---\n"));
    QVERIFY(targets::prove(target, written, assignment).exact());
  }

  void statesTheNearestTreatmentOfWhatIsNoDtype() {
    Policy policy = inLow("fc", formats::kFloat8E4M3fn);
    QVERIFY(isInexpressible(tablesOf(policy).findings, "is not a dtype", "fc/aten::linear#0"));
    policy.sites.front().format = formats::kFloat16;
    policy.sites.front().overflow = formats::Overflow::kSaturate;
    QVERIFY(isInexpressible(tablesOf(policy).findings, "does not saturate", "fc/aten::linear#0"));
    policy.sites.front().overflow.reset();
    policy.sites.front().backward = formats::kBFloat16;
    const PythonTables tables = tablesOf(policy);
    QVERIFY(isInexpressible(tables.findings, "gradients in bfloat16", "fc/aten::linear#0"));
    QCOMPARE(tables.regions.at("fc"), std::string("float16"));
  }

  void countsExecutionsOnlyWhereAModuleCallsTheOpInOnePlace() {
    Policy policy = inFloat32({"cell/aten::linear#0"});
    policy.sites.front().call = 2;
    const PythonTables tables = tablesOf(policy);
    QVERIFY(tables.findings.empty());
    QCOMPARE(tables.sites, (Words{{"cell/aten::linear#0@2", "float32"}}));
    policy.sites.front().match = "layer1/aten::add#1";
    QVERIFY(isInexpressible(tablesOf(policy).findings, "single execution", "layer1/aten::add#1"));
  }

  void refusesTextsThatAreNotItsOwn() {
    const std::string text = test::targetOf("pytorch").write(test::assigned(inFloat32({"fc"}))).text;
    QVERIFY(holds(refusalOf("pytorch", "import torch\n"), "there are no tables"));
    QVERIFY(holds(refusalOf("pytorch", replaced(text, "\"fc\": \"float32\"", "\"fc\": \"float31\"")), "float31"));
    QVERIFY(holds(refusalOf("pytorch", replaced(text, "\"fc\": \"float32\"", "\"fc\": torch.float32")), "REGIONS"));
    QVERIFY(holds(refusalOf("pytorch", replaced(text, "BASE = ", "NAME = ")), "BASE is missing"));
    QVERIFY(holds(refusalOf("cpp", "int main() {}\n"), "kPolicy"));
  }

  void theProofFindsAChangedTable() {
    const targets::Target& target = test::targetOf("pytorch");
    const Assignment assignment = test::assigned(inFloat32({"fc"}));
    Written written = target.write(assignment);
    written.text = replaced(written.text, "\"fc\": \"float32\"", "\"fc\": \"float16\"");
    QCOMPARE(targets::prove(target, written, assignment).undeclared, std::vector<std::string>{"fc/aten::linear#0"});
  }
};

BINADE_SUITE(PyTorchTarget);
#include "tst_pytorch.moc"
