// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/targets/checked_text.h"
#include "engine/targets/proof.h"
#include "tests/support/mutations.h"
#include "tests/support/suite.h"
#include "tests/targets/assigned.h"

#include <algorithm>
#include <random>
#include <set>
#include <string_view>

using namespace binade;
using targets::Assignment;
using targets::Finding;
using targets::Proof;
using targets::Read;
using targets::Target;
using targets::Written;

namespace {

QByteArray joined(const std::vector<std::string>& names) {
  QByteArray text;
  for (const std::string& name : names) text += QByteArray::fromStdString(name) + "; ";
  return text;
}

bool cannotSayAll(const Written& written) {
  return std::any_of(written.findings.begin(), written.findings.end(),
                     [](const Finding& finding) { return finding.kind == Finding::Kind::kInexpressible; });
}

/// What reading a text led to: empty if it was accepted, `refused` for Error{kBadPolicy}, otherwise the wrong error.
std::string outcome(const Target& target, const std::string& text, const Assignment& model) {
  try {
    target.read(text, "hostile.txt", model);
    return {};
  } catch (const Error& error) {
    if (error.code == ErrorCode::kBadPolicy) return "refused";
    return std::string("another code: ") + error.what();
  } catch (const std::exception& error) {
    return std::string("another exception: ") + error.what();
  }
}

void targetColumn() {
  QTest::addColumn<QString>("target");
  for (const Target& target : targets::targets()) {
    if (target.read == nullptr) continue;
    const std::string name(target.name);
    QTest::newRow(name.c_str()) << QString::fromStdString(name);
  }
}

// A target that forgets all site rules, with and without a finding that says so.
Read readNothing(std::string_view, const std::string&, const Assignment& model) {
  Read read;
  read.policy.base = model.policy.base;
  read.policy.low = model.policy.low;
  read.scaler = wire::ScalerConfig{};
  return read;
}

const Target& forgetful() {
  static const Target target{
      .name = "forgetful", .title = "", .suffix = "", .doc = "", .write = nullptr, .read = readNothing};
  return target;
}

Assignment withRule(const char* match, std::optional<int> call = std::nullopt) {
  policy::Policy policy = test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16);
  policy::SiteRule rule;
  rule.match = match;
  rule.call = call;
  policy.sites.push_back(rule);
  return test::assigned(policy);
}

}  // namespace

// Reading back what was written, for every target.
class TargetProof : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyTargetHasANameATitleAndASentence() {
    std::set<std::string_view> names;
    for (const Target& target : targets::targets()) {
      QVERIFY2(names.insert(target.name).second, std::string(target.name).c_str());
      QVERIFY(!target.title.empty());
      QVERIFY(target.suffix.starts_with('.'));
      QVERIFY2(target.doc.ends_with('.'), std::string(target.doc).c_str());
      QVERIFY(target.write != nullptr);
      QCOMPARE(targets::find_target(target.name), &target);
    }
    QVERIFY(targets::find_target("jsn") == nullptr);
  }

  void whatATargetCannotSayIsInAFinding_data() {
    QTest::addColumn<QString>("target");
    QTest::addColumn<int>("policy");
    for (const Target& target : targets::targets()) {
      if (target.read == nullptr) continue;
      const QString name = QString::fromUtf8(target.name.data(), static_cast<qsizetype>(target.name.size()));
      for (std::size_t i = 0; i < test::policiesOfEveryKind().size(); ++i) {
        const QByteArray row = name.toUtf8() + ": " + test::policiesOfEveryKind()[i].name;
        QTest::newRow(row.constData()) << name << static_cast<int>(i);
      }
    }
  }
  void whatATargetCannotSayIsInAFinding() {
    QFETCH(QString, target);
    QFETCH(int, policy);
    const Target& written_by = test::targetOf(qPrintable(target));
    const Assignment assignment = test::assigned(test::policiesOfEveryKind()[static_cast<std::size_t>(policy)].policy);
    const Written written = written_by.write(assignment);
    const Proof proof = targets::prove(written_by, written, assignment);
    QVERIFY2(proof.undeclared.empty(), joined(proof.undeclared) + "\n" + QByteArray::fromStdString(written.text));
    QVERIFY(proof.op_calls >= assignment.keys.size() + assignment.table.calls.size());
    QVERIFY(cannotSayAll(written) || proof.exact());
  }

  void aForgottenRuleIsFound() {
    const Assignment assignment = withRule("fc");
    const Proof proof = targets::prove(forgetful(), {}, assignment);
    QCOMPARE(proof.undeclared, std::vector<std::string>{"fc/aten::linear#0"});
    QVERIFY(proof.different.empty());
    QVERIFY(!proof.exact());
    QCOMPARE(proof.op_calls, assignment.keys.size());
  }

  void aDeclaredDifferenceIsNoFault() {
    const Written written{"", {{Finding::Kind::kInexpressible, "no rules", {"fc/aten::linear#0"}}}};
    const Proof proof = targets::prove(forgetful(), written, withRule("fc"));
    QVERIFY(proof.undeclared.empty());
    QCOMPARE(proof.different, std::vector<std::string>{"fc/aten::linear#0"});
    QVERIFY(!proof.exact());
  }

  void aNoteOrASentenceOnTheFileDeclaresNothing() {
    const Written note{"", {{Finding::Kind::kNote, "no rules", {"fc/aten::linear#0"}}}};
    QCOMPARE(targets::prove(forgetful(), note, withRule("fc")).undeclared.size(), std::size_t{1});
    const Written whole{"", {{Finding::Kind::kInexpressible, "no rules", {}}}};
    QCOMPARE(targets::prove(forgetful(), whole, withRule("fc")).undeclared.size(), std::size_t{1});
  }

  void rulesForSingleCallsAreCompared() {
    const Assignment assignment = withRule("cell/aten::linear#0", 2);
    const Proof proof = targets::prove(forgetful(), {}, assignment);
    QCOMPARE(proof.undeclared, std::vector<std::string>{"cell/aten::linear#0, call 2"});
    QCOMPARE(proof.op_calls, assignment.keys.size() + 1);
    const Written declared{"", {{Finding::Kind::kInexpressible, "no calls", {"cell/aten::linear#0"}}}};
    QCOMPARE(targets::prove(forgetful(), declared, assignment).different.size(), std::size_t{1});
  }

  void anotherScalerIsADifference() {
    Assignment assignment = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16));
    QVERIFY(targets::prove(forgetful(), {}, assignment).exact());  // no run was given
    assignment.scaler = wire::ScalerConfig{};
    assignment.scaler->id = "another name";
    QVERIFY(targets::prove(forgetful(), {}, assignment).exact());
    assignment.scaler->init_scale = 1024;
    const Proof proof = targets::prove(forgetful(), {}, assignment);
    QVERIFY(!proof.scaler_equal);
    QVERIFY(!proof.exact());
  }

  void aScalerThatDiffersWithoutAFindingIsAFault() {
    Target target = forgetful();
    target.write = [](const Assignment&) { return Written{}; };
    Assignment assignment = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16));
    assignment.scaler = wire::ScalerConfig{};
    QVERIFY(targets::checked_text(target, assignment).exact());
    assignment.scaler->init_scale = 1024;
    try {
      targets::checked_text(target, assignment);
      QFAIL("accepted");
    } catch (const Error& error) {
      QVERIFY(error.code == ErrorCode::kInternal);
      QVERIFY2(std::string(error.what()).find("another loss scaler") != std::string::npos, error.what());
    }
    target.write = [](const Assignment&) {
      return Written{"", {{Finding::Kind::kInexpressible, "the scale is PyTorch's", {}}}};
    };
    QVERIFY(!targets::checked_text(target, assignment).exact());
  }

  void settingsWithoutEffectAreNoDifference() {
    Assignment assignment = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kBFloat16));
    assignment.scaler = wire::ScalerConfig{};
    assignment.scaler->enabled = false;
    assignment.scaler->init_scale = 1024;
    for (const char* name : {"lightning", "accelerate"}) {
      QVERIFY2(targets::checked_text(test::targetOf(name), assignment).proof->scaler_equal, name);
    }
    assignment = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16));
    assignment.scaler = wire::ScalerConfig{};
    assignment.scaler->fixed = true;
    assignment.scaler->growth_factor = 4;
    QVERIFY(targets::checked_text(test::targetOf("deepspeed"), assignment).proof->scaler_equal);
  }

  void changesOfOpsInsideOthersAreNotForgotten() {
    std::vector<policy::SiteKey> keys = test::madeUpModel();
    keys.push_back({"rnn", "", "aten::lstm", "input", 0});
    policy::Policy policy = test::startingFrom(policy::Base::kCpuAmp, formats::kBFloat16);
    policy.ops = {{"aten::cat", formats::kFloat32}, {"aten::sigmoid", formats::kFloat32}};
    Assignment assignment = test::assigned(policy, keys);
    QVERIFY(targets::checked_text(test::targetOf("csv"), assignment).exact());
    assignment.places.back().inside = true;
    assignment.table = policy::resolve(policy, keys, assignment.table.capabilities, assignment.places);
    const auto namesTheChange = [](const Finding& each) { return each.message.find("aten::cat") != std::string::npos; };
    for (const char* name : {"csv", "tf", "gaudi", "cann", "paddle", "te", "modelopt", "pytorch"}) {
      const targets::CheckedText text = targets::checked_text(test::targetOf(name), assignment);
      QVERIFY2(!text.exact(), name);
      QVERIFY2(!text.proof->lost_inside.empty() && text.proof->lost_inside.front() == "aten::cat", name);
      const auto& findings = text.written.findings;
      QVERIFY2(std::count_if(findings.begin(), findings.end(), namesTheChange) == 1, name);  // said once
      const std::string& said = findings.back().message;
      QVERIFY2(namesTheChange(findings.back()), said.c_str());
      const bool byTarget = std::string_view(name) == "pytorch";
      const char* const expected =
          byTarget ? "do not reach the ops that these calls make" : "run other ops (aten::lstm)";
      QVERIFY2(said.find(expected) != std::string::npos, said.c_str());
    }
    for (const char* name : {"json", "cpp"}) {
      QVERIFY2(targets::checked_text(test::targetOf(name), assignment).exact(), name);
    }
  }

  /// An LSTM and a norm run no gelu. An LSTM runs mm inside linear only, which the CPU's list casts. Under CUDA's list
  /// an LSTM is one op of cuDNN, inside which no change acts.
  void changesThatReachNothingAreNoDeviation() {
    std::vector<policy::SiteKey> keys = test::madeUpModel();
    keys.push_back({"last", "", "aten::layer_norm", "", 0});
    keys.push_back({"rnn", "", "aten::lstm", "input", 0});
    for (const auto& [base, low, op] : {std::tuple(policy::Base::kCudaAmp, formats::kFloat16, "aten::mm"),
                                        std::tuple(policy::Base::kCudaAmp, formats::kFloat16, "aten::gelu"),
                                        std::tuple(policy::Base::kCpuAmp, formats::kBFloat16, "aten::mm"),
                                        std::tuple(policy::Base::kCpuAmp, formats::kBFloat16, "aten::addmm.out"),
                                        std::tuple(policy::Base::kCpuAmp, formats::kBFloat16, "aten::gelu")}) {
      policy::Policy policy = test::startingFrom(base, low);
      policy.ops = {{op, formats::kFloat32}};
      Assignment assignment = test::assigned(policy, keys);
      for (std::size_t i = keys.size() - 2; i < keys.size(); ++i) assignment.places[i].inside = true;
      assignment.table = policy::resolve(policy, keys, assignment.table.capabilities, assignment.places);
      for (const char* name : {"csv", "pytorch"}) {
        const targets::CheckedText text = targets::checked_text(test::targetOf(name), assignment);
        QVERIFY2(text.exact() && text.proof->lost_inside.empty(), name);
      }
    }
  }

  void aProductInsideALayerIsChangedWhereNoListCastsAroundIt() {
    const std::vector<policy::SiteKey> keys{{"rnn", "", "aten::lstm", "input", 0}};
    policy::Policy policy = test::startingFrom(policy::Base::kAllFloat32, formats::kBFloat16);
    policy.ops = {{"aten::mm", formats::kBFloat16}};
    Assignment assignment = test::assigned(policy, keys);
    assignment.places.back().inside = true;
    const auto lost = [&] {
      assignment.table = policy::resolve(assignment.policy, keys, assignment.table.capabilities, assignment.places);
      return targets::checked_text(test::targetOf("csv"), assignment).proof->lost_inside;
    };
    QCOMPARE(lost(), std::vector<std::string>{"aten::mm"});
    assignment.policy.ops = {
        {"aten::mm", formats::kBFloat16}, {"aten::linear", formats::kFloat32}, {"aten::matmul", formats::kFloat32}};
    QCOMPARE(lost(), (std::vector<std::string>{"aten::linear", "aten::matmul"}));
  }

  void cudasListNamesAWholeRecurrentLayer() {
    const std::vector<policy::SiteKey> keys{{"rnn", "", "aten::lstm", "input", 0}};
    Assignment assignment = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16), keys);
    QVERIFY(assignment.table.sites.front().kind == policy::Decision::Kind::kFormat);
    QVERIFY(assignment.table.sites.front().format == formats::kFloat16);
    for (const char* name : {"csv", "tf", "modelopt", "pytorch", "lightning"}) {
      const targets::CheckedText text = targets::checked_text(test::targetOf(name), assignment);
      QVERIFY2(text.exact(), name);
    }
    // What check() in Python expects is what the list says.
    const std::string pytorch = targets::checked_text(test::targetOf("pytorch"), assignment).written.text;
    QVERIFY2(pytorch.find("\"aten::lstm#0 float16") != std::string::npos, pytorch.c_str());
    const auto told = targets::checked_text(test::targetOf("markdown"), assignment).written.findings;
    QCOMPARE(told.size(), std::size_t{1});
    QVERIFY2(told.front().message.find("one op of cuDNN, in float16") != std::string::npos,
             told.front().message.c_str());
    const std::string tf = targets::checked_text(test::targetOf("tf"), assignment).written.text;
    QVERIFY2(tf.find("ALLOWLIST_REMOVE=\n") != std::string::npos, tf.c_str());
  }

  void gradientsAndOverflowAreCompared() {
    policy::Decision a;
    a.kind = policy::Decision::Kind::kFormat;
    policy::Decision b = a;
    b.execution = policy::Execution::kEmulated;
    b.rule = 3;
    QVERIFY(targets::same_treatment(a, b));
    b.backward = formats::kFloat16;
    QVERIFY(!targets::same_treatment(a, b));
    b = a;
    b.overflow = formats::Overflow::kSaturate;
    QVERIFY(!targets::same_treatment(a, b));
    a.kind = policy::Decision::Kind::kFollow;
    b.kind = policy::Decision::Kind::kLeave;
    QVERIFY(targets::same_treatment(a, b));
    b.kind = policy::Decision::Kind::kBanned;
    QVERIFY(!targets::same_treatment(a, b));
  }

  void damagedTextIsReadOrRefused_data() { targetColumn(); }
  void damagedTextIsReadOrRefused() {
    QFETCH(QString, target);
    const Target& reader = test::targetOf(qPrintable(target));
    test::Mutator mutator(20);
    for (const test::NamedPolicy& each : test::policiesOfEveryKind()) {
      const Assignment assignment = test::assigned(each.policy);
      const std::string text = reader.write(assignment).text;
      for (int i = 0; i < 40; ++i) {
        const std::string damaged = mutator.bytes(text);
        const std::string result = outcome(reader, damaged, assignment);
        QVERIFY2(result.empty() || result == "refused", (result + "\n" + damaged).c_str());
        const std::string cut = outcome(reader, text.substr(0, mutator.below(text.size())), assignment);
        QVERIFY2(cut.empty() || cut == "refused", cut.c_str());
      }
    }
  }

  void bytesOfNoFormatAreRefused_data() { targetColumn(); }
  void bytesOfNoFormatAreRefused() {
    QFETCH(QString, target);
    const Target& reader = test::targetOf(qPrintable(target));
    const Assignment model = test::assigned(test::startingFrom(policy::Base::kCudaAmp, formats::kFloat16));
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i) {
      std::string bytes(64 + random() % 512, '\0');
      for (char& each : bytes) each = static_cast<char>(random() % 256);
      QCOMPARE(outcome(reader, bytes, model), std::string("refused"));
    }
    for (const char* repeated : {"a", "\"", "[", "{\"a\":", ",", "- ", " ", "(", "'''", "\xff", "#\n", "x: y\n"}) {
      std::string huge;
      while (huge.size() < 2'000'000) huge += repeated;
      QCOMPARE(outcome(reader, huge, model), std::string("refused"));
    }
    QCOMPARE(outcome(reader, std::string(100'000, '\0'), model), std::string("refused"));
  }
};

BINADE_SUITE(TargetProof);
#include "tst_proof.moc"
