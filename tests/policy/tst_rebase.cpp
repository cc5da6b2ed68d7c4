// SPDX-License-Identifier: Apache-2.0
#include "engine/formats/error.h"
#include "engine/policy/op_lists.h"
#include "engine/policy/rebase.h"
#include "engine/policy/resolve.h"
#include "tests/support/suite.h"

#include <algorithm>
#include <iterator>
#include <set>

using namespace binade;
using policy::Base;
using policy::CastRule;
using policy::Decision;
using policy::Policy;
using policy::SiteKey;

namespace {

const std::vector<Base> kLists{Base::kCudaAmp, Base::kCpuAmp, Base::kApexO0, Base::kApexO1, Base::kAllFloat32};

/// A call of every op that any list names, in each overload that one names and in another; and one that none names.
std::vector<SiteKey> every_op() {
  std::set<std::pair<std::string, std::string>> ops{{"aten::relu", ""}};
  for (const Base base : kLists) {
    for (const policy::OpRow& row : policy::rows(base)) {
      const std::string op = "aten::" + std::string(row.op);
      ops.insert({op, "of_no_list"});
      if (row.overload != "*") ops.insert({op, std::string(row.overload)});
    }
  }
  std::vector<SiteKey> sites;
  for (const auto& [op, overload] : ops) sites.push_back({"m", "", op, overload, 0});
  return sites;
}

/// What no op change says: an op that is told its result's dtype, and O1's ban of float16 alone.
bool inexpressible(Base base, const SiteKey& site) {
  const CastRule rule = policy::rule_for(base, site.op, site.overload);
  return rule == CastRule::kSetDtype || rule == CastRule::kAppendDtype ||
         (rule == CastRule::kBanned && base == Base::kApexO1);
}

/// CUDA's list says float32 of both parts of a cross entropy, and nothing of the whole: other lists' word stays.
bool said_of_parts(Base base, const SiteKey& site) {
  return base == Base::kCudaAmp && site.op == "aten::cross_entropy_loss";
}

/// What a policy makes of every site, without who decided.
std::vector<Decision> decisions(const Policy& policy, const std::vector<SiteKey>& sites) {
  std::vector<Decision> all = policy::resolve(policy, sites, {}).sites;
  for (Decision& decision : all) {
    decision.rule = 0;
    if (decision.kind == Decision::Kind::kLeave) decision.kind = Decision::Kind::kFollow;  // nothing lower is there
    // What promotion starts from and how low runs are told where they matter: at the arguments.
    if (decision.kind != Decision::Kind::kFormat && decision.kind != Decision::Kind::kPromote) {
      decision = Decision{.kind = decision.kind, .rule = 0};
    }
  }
  return all;
}

}  // namespace

// A policy over another base list.
class PolicyRebase : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void everyListCanBeSaidOverEveryOther_data();
  void everyListCanBeSaidOverEveryOther();
  void aRunsLossStaysInFloat32();
  void aRunOfSeveralLossesHasThemToo();
  void whatNoOpChangeSaysIsTold();
  void thePolicysOwnWordStays();
  void theSameListAddsNothing();
  void wholeModelsAreRefused();
  void onlyWhatIsCalledIsKept();
  void aReasonSaysWhatBothListsSay();
};

void PolicyRebase::everyListCanBeSaidOverEveryOther_data() {
  QTest::addColumn<int>("from");
  QTest::addColumn<int>("to");
  for (const Base from : kLists) {
    for (const Base to : kLists) {
      QTest::addRow("%s to %s", policy::name(from).c_str(), policy::name(to).c_str())
          << static_cast<int>(from) << static_cast<int>(to);
    }
  }
}

void PolicyRebase::everyListCanBeSaidOverEveryOther() {
  QFETCH(int, from);
  QFETCH(int, to);
  Policy policy;
  policy.base = static_cast<Base>(from);
  const policy::Rebased converted = policy::rebase(policy, static_cast<Base>(to));
  QVERIFY(converted.policy.base == static_cast<Base>(to));
  const std::vector<SiteKey> sites = every_op();
  const std::vector<Decision> before = decisions(policy, sites);
  const std::vector<Decision> after = decisions(converted.policy, sites);
  int compared = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (inexpressible(policy.base, sites[i]) || said_of_parts(policy.base, sites[i])) continue;
    QVERIFY2(before[i] == after[i], sites[i].name().c_str());
    ++compared;
  }
  QVERIFY(compared > 100);
  // Nothing is said that the list says itself.
  for (const std::string& key : converted.added) {
    const std::string op = key.substr(0, key.find('.'));
    std::vector<SiteKey> of_op;
    std::copy_if(sites.begin(), sites.end(), std::back_inserter(of_op),
                 [&](const auto& site) { return site.op == op; });
    Policy without = converted.policy;
    std::erase_if(without.ops,
                  [&](const auto& change) { return change.first == key || !change.first.starts_with(op); });
    QVERIFY2(decisions(without, of_op) != decisions(policy, of_op), key.c_str());
  }
}

/// A run makes cross entropy of one op under the CPU's list and of two else: see TestLosses.
void PolicyRebase::aRunsLossStaysInFloat32() {
  const std::vector<SiteKey> loss{{"loss", "", "aten::cross_entropy_loss", "", 0},
                                  {"loss", "", "aten::log_softmax", "int", 0},
                                  {"net", "", "aten::log_softmax", "int", 0},
                                  {"loss_head", "", "aten::log_softmax", "int", 0},
                                  {"losses.0", "", "aten::log_softmax", "int", 0}};
  Policy policy;
  policy.base = Base::kCpuAmp;
  policy::SiteRule own;
  own.match = "loss";
  policy.sites = {own};
  const Policy over_cuda = policy::rebase(policy, Base::kCudaAmp).policy;
  QCOMPARE(over_cuda.sites.size(), std::size_t{3});
  QVERIFY(over_cuda.sites.back() == own);  // the later rule wins
  policy.sites.clear();
  const std::vector<Decision> decisions =
      policy::resolve(policy::rebase(policy, Base::kCudaAmp).policy, loss, {}).sites;
  QVERIFY(decisions[1].kind == Decision::Kind::kFormat && decisions[1].format == formats::kFloat32);
  for (std::size_t i : {2, 3, 4}) {  // of the model's own, which the CPU's list does not name
    QVERIFY(decisions[i].kind == Decision::Kind::kFollow);
  }
  // Over the CPU's list its own word for the whole stands.
  policy.base = Base::kCudaAmp;
  const Decision whole = policy::resolve(policy::rebase(policy, Base::kCpuAmp).policy, loss, {}).sites[0];
  QVERIFY(whole.kind == Decision::Kind::kFormat && whole.format == formats::kFloat32);
}

void PolicyRebase::aRunOfSeveralLossesHasThemToo() {
  const std::vector<SiteKey> several{{"loss.0", "", "aten::log_softmax", "int", 0},
                                     {"loss.1", "", "aten::mse_loss", "", 0},
                                     {"loss.2", "", "aten::log_softmax", "int", 0}};
  const std::vector<SiteKey> one{{"loss", "", "aten::log_softmax", "int", 0}};
  const std::vector<SiteKey> none{{"loss", "", "aten::mse_loss", "", 0}};
  Policy policy;
  policy.base = Base::kCpuAmp;
  const Policy over_cuda = policy::rebase(policy, Base::kCudaAmp).policy;
  const auto unmatched = [](const policy::Resolved& table) {
    int count = 0;
    for (const policy::Finding& finding : table.findings) {
      if (finding.message.find("matches no op call") != std::string::npos) ++count;
    }
    return count;
  };
  const policy::Resolved table = policy::resolve(over_cuda, several, {});
  for (std::size_t i : {0, 2}) {
    QVERIFY(table.sites[i].kind == Decision::Kind::kFormat && table.sites[i].format == formats::kFloat32);
  }
  // Of the two rules each run needs one, and hears nothing of the other.
  QCOMPARE(unmatched(table), 0);
  QCOMPARE(unmatched(policy::resolve(over_cuda, one, {})), 0);
  QCOMPARE(unmatched(policy::resolve(over_cuda, none, {})), 1);
  // Back over the CPU's list, or again over another, none is left behind.
  Policy old = over_cuda;
  old.sites[0].match = "loss*/aten::log_softmax#*";  // as an earlier version wrote it
  QVERIFY(policy::rebase(old, Base::kCpuAmp).policy.sites.empty());
}

void PolicyRebase::whatNoOpChangeSaysIsTold() {
  const policy::Rebased converted = policy::rebase({}, Base::kAllFloat32);
  QCOMPARE(converted.inexact.size(), std::size_t{1});
  QVERIFY2(converted.inexact[0].starts_with("cuda-amp gives these ops dtype float32 and does not cast their arguments. "
                                            "Now the arguments are cast to float32: aten::"),
           converted.inexact[0].c_str());
  Policy apex;
  apex.base = Base::kApexO1;
  const std::string told = policy::rebase(apex, Base::kCudaAmp).inexact.at(0);
  QVERIFY2(told.starts_with("apex-o1 refuses float16 arguments of these ops; now they compute in what"), told.c_str());
  Policy pytorch;
  pytorch.base = Base::kCpuAmp;
  pytorch.behaviour = policy::Behaviour::kPyTorch211;
  QVERIFY(policy::rebase(pytorch, Base::kAllFloat32)
              .inexact.at(0)
              .starts_with("behaviour pytorch-2.11 leaves unlisted ops"));
  pytorch.ops["aten::gelu"] = formats::kFloat32;  // edited already
  QVERIFY(policy::rebase(pytorch, Base::kAllFloat32).inexact.empty());
}

void PolicyRebase::thePolicysOwnWordStays() {
  Policy policy;
  policy.name = "tuned";
  policy.ops = {{"aten::conv2d", formats::kFloat32}, {"aten::mm.default", formats::kBFloat16}};
  policy::SiteRule rule;
  rule.match = "fc";
  policy.sites = {rule};
  const policy::Rebased converted = policy::rebase(policy, Base::kAllFloat32);
  QCOMPARE(QString::fromStdString(converted.policy.name), QStringLiteral("tuned"));
  QVERIFY(converted.policy.sites == policy.sites);
  QVERIFY(converted.policy.low == policy.low);
  QVERIFY(converted.policy.ops.at("aten::conv2d") == policy.ops.at("aten::conv2d"));
  QVERIFY(!converted.policy.ops.contains("aten::conv2d.default"));  // would go before it
  QVERIFY(converted.policy.ops.at("aten::mm.default") == policy.ops.at("aten::mm.default"));
  QVERIFY(converted.policy.ops.at("aten::addmm.default") == policy::OpChange(policy::Treatment::kLow));
}

void PolicyRebase::theSameListAddsNothing() {
  Policy policy;
  policy.ops["aten::gelu"] = policy::Treatment::kLow;
  const policy::Rebased converted = policy::rebase(policy, policy.base);
  QVERIFY(converted.policy == policy && converted.added.empty() && converted.inexact.empty());
}

void PolicyRebase::wholeModelsAreRefused() {
  for (const Base whole : {Base::kApexO2, Base::kApexO3}) {
    Policy policy;
    for (const auto& [from, to] : {std::pair(whole, Base::kCudaAmp), std::pair(Base::kCudaAmp, whole)}) {
      policy.base = from;
      try {
        policy::rebase(policy, to);
        QFAIL("converted");
      } catch (const Error& error) {
        QVERIFY(error.code == ErrorCode::kUsage);
        QVERIFY2(std::string(error.what()).starts_with(policy::name(whole) + " is more than a list"), error.what());
      }
    }
  }
}

void PolicyRebase::onlyWhatIsCalledIsKept() {
  Policy policy;
  policy.ops["aten::gelu"] = formats::kFloat32;  // the policy's own, which no site calls
  const std::vector<SiteKey> called{{"m", "", "aten::exp", "", 0},
                                    {"m", "", "aten::norm", "ScalarOpt_dim_dtype", 0},
                                    {"m", "", "aten::conv2d", "", 0}};
  policy::Rebased converted = policy::rebase(policy, Base::kCpuAmp);
  const std::size_t all = converted.added.size();
  const std::size_t left_out = policy::keep_called(converted, called);
  QVERIFY(left_out > 100);
  QCOMPARE(converted.added.size() + left_out, all);
  QCOMPARE(converted.policy.ops.size(), converted.added.size() + 1);
  QVERIFY(converted.policy.ops.contains("aten::gelu"));
  QVERIFY(converted.policy.ops.contains("aten::exp.default") || converted.policy.ops.contains("aten::exp"));
  QVERIFY(!converted.policy.ops.contains("aten::conv2d"));  // both lists lower it
  // What is called runs as under all of them.
  QVERIFY(decisions(converted.policy, called) == decisions(policy::rebase(policy, Base::kCpuAmp).policy, called));
}

void PolicyRebase::aReasonSaysWhatBothListsSay() {
  QCOMPARE(QString::fromStdString(policy::reason_of("aten::exp.default", Base::kCudaAmp, Base::kCpuAmp)),
           QStringLiteral("fp32 on cuda-amp, not on cpu-amp"));
  QCOMPARE(QString::fromStdString(policy::reason_of("aten::cat", Base::kCudaAmp, Base::kCpuAmp)),
           QStringLiteral("not on cuda-amp, not on cpu-amp"));
  QCOMPARE(QString::fromStdString(policy::reason_of("aten::cat.default", Base::kCudaAmp, Base::kCpuAmp)),
           QStringLiteral("not on cuda-amp, promote on cpu-amp"));
}

BINADE_SUITE(PolicyRebase);
#include "tst_rebase.moc"
