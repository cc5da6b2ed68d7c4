// SPDX-License-Identifier: Apache-2.0
#include "engine/host/serve/savings_estimates.h"
#include "tests/host/serve/serving_engine.h"
#include "tests/support/suite.h"
#include "tests/wire/samples.h"

#include <optional>
#include <string>
#include <variant>

using namespace binade;

namespace {

wire::RunConfig endlessRun() {
  wire::RunConfig config;
  config.model = "sample:mlp";
  config.data.inputs = {"float32[8,1,28,28]"};
  config.batch = 8;
  config.steps = 1'000'000'000;
  config.scaler.init_scale = 1024;
  config.observe.level = "off";
  return config;
}

policy::Policy linearInFloat32() {
  policy::Policy edited = endlessRun().policy;
  edited.ops["aten::linear"] = formats::kFloat32;
  return edited;
}

std::optional<wire::Savings> savingsIn(const std::optional<wire::Response>& response) {
  if (!response || !std::holds_alternative<nlohmann::json>(response->outcome)) return std::nullopt;
  return wire::decode<wire::Savings>(std::get<nlohmann::json>(response->outcome));
}

}  // namespace

// policy.savings: what a policy would save, asked over the pipe.
class ServeSavings : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void aRunAnswersWhileItTrainsAndAfterItsEnd() {
    test::ServingEngine engine;
    test::Peer& peer = *engine.peer;
    QVERIFY(peer.sayHello());
    peer.answer("run.start", wire::encode(wire::StartRun{endlessRun()}));
    const nlohmann::json question = wire::encode(wire::AskSavings{linearInFloat32()});
    const auto live = savingsIn(peer.answer("policy.savings", question));
    QVERIFY(live && !live->sites.empty() && !live->products.empty());
    QVERIFY(live->before.bytes != live->after.bytes);
    QVERIFY(!live->estimates.empty());
    QVERIFY(peer.all<wire::PolicyApplied>("policy.applied").empty());
    peer.answer("run.stop");
    QVERIFY(peer.waitFor("run.finished"));
    const auto ended = savingsIn(peer.answer("policy.savings", question));
    QVERIFY(ended);
    QVERIFY(ended->sites == live->sites && ended->after.bytes == live->after.bytes);
  }

  void aPolicyThatIsNoneIsRefusedAndTheRunGoesOn() {
    test::ServingEngine engine;
    test::Peer& peer = *engine.peer;
    QVERIFY(peer.sayHello());
    QVERIFY(test::failureIn(peer.answer("policy.savings", wire::encode(wire::AskSavings{linearInFloat32()}))));
    peer.answer("run.start", wire::encode(wire::StartRun{endlessRun()}));
    policy::Policy unknown = endlessRun().policy;
    unknown.ops["aten::no_such_op"] = formats::kFloat32;
    const auto refused = test::failureIn(peer.answer("policy.savings", wire::encode(wire::AskSavings{unknown})));
    QVERIFY(refused && refused->message.find("aten::no_such_op") != std::string::npos);
    QVERIFY(test::failureIn(peer.answer("policy.savings", nlohmann::json::object())));
    policy::Policy other = endlessRun().policy;
    other.base = policy::Base::kApexO2;
    QVERIFY(test::failureIn(peer.answer("policy.savings", wire::encode(wire::AskSavings{other}))));
    QVERIFY(savingsIn(peer.answer("policy.savings", wire::encode(wire::AskSavings{linearInFloat32()}))));
  }

  void estimatesAreThoseOfQuotedFormats() {
    wire::Savings savings = test::sampleSavings(1);
    savings.products[0].m = savings.products[0].n = savings.products[0].k = 4096;
    savings.products[0].before = formats::kFloat32;
    savings.products[0].after = formats::kFloat16;
    const auto estimates = host::savings_estimates(savings);
    QVERIFY(!estimates.empty());
    for (const wire::TrialEstimate& each : estimates) {
      QVERIFY(!each.gpu.empty());
      QVERIFY(each.after > 0 && each.after < each.before);
    }
    savings.products[0].after = formats::kFloat8E4M3fn;
    QVERIFY(host::savings_estimates(savings).empty());
    savings.products.clear();
    QVERIFY(host::savings_estimates(savings).empty());
  }
};

BINADE_SUITE(ServeSavings);

#include "tst_serve_savings.moc"
