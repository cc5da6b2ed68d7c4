// SPDX-License-Identifier: Apache-2.0
#include "engine/autocast/autocast.h"
#include "engine/autocast/resolve_executions.h"
#include "tests/autocast_oracle/compare.h"
#include "tests/autocast_oracle/exceptions.h"
#include "tests/autocast_oracle/met_ops.h"
#include "tests/autocast_oracle/row_call.h"
#include "tests/support/suite.h"

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/linspace.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <optional>
#include <set>

using namespace binade;
using test::RowCall;
using test::tensorsIn;

namespace {

/// One op as the only site of a graph, under a rule for that site.
class OneSite {
 public:
  OneSite(const RowCall& call, const std::optional<formats::Format>& format) : call_(call) {
    static_cast<graph::OpTraits&>(site_) = graph::traits_of(call.op.schema());
    site_.key = {.path = "m", .method = {}, .op = site_.op, .overload = site_.overload, .ordinal = 0};
    site_.operation = [op = call.op](graph::Stack& stack) { op.callBoxed(stack); };
    policy::Policy policy;
    policy.base = policy::Base::kAllFloat32;
    if (format) {
      policy::SiteRule rule;
      rule.match = "*";
      rule.format = *format;
      policy.sites.push_back(rule);
    }
    const graph::Site* const sites[] = {&site_};
    casts_.set_policy(std::make_shared<const policy::Resolved>(autocast::resolve_for(policy, sites, {})));
  }

  /// Runs the site on its arguments, as training would. Throws what the op throws.
  graph::Stack run() {
    graph::Stack stack = call_.arguments;
    graph::Call call{site_, 0, stack, &site_.operation};
    casts_.begin();
    try {
      casts_.before(call);
      (*call.operation)(stack);
      casts_.after(call);
    } catch (const std::exception& error) {
      casts_.failed(call, error);
      casts_.end();
      throw;
    }
    casts_.end();
    return stack;
  }

 private:
  RowCall call_;
  graph::Site site_;
  autocast::Autocast casts_;
};

/// The same op on tensors of its own.
RowCall copyOf(const RowCall& call) {
  RowCall copy{call.op, {}};
  for (const c10::IValue& value : call.arguments) copy.arguments.push_back(value.deepcopy());
  return copy;
}

RowCall call(const char* op, const char* overload, graph::Stack given) {
  RowCall made{c10::Dispatcher::singleton().findSchemaOrThrow(op, overload), std::move(given)};
  const auto& arguments = made.op.schema().arguments();
  for (std::size_t i = made.arguments.size(); i < arguments.size(); ++i) {
    made.arguments.push_back(arguments[i].default_value().value_or(c10::IValue()));
  }
  return made;
}

at::Tensor data(at::IntArrayRef shape) {
  std::int64_t count = 1;
  for (const std::int64_t extent : shape) count *= extent;
  return at::linspace(-1.0, 1.5, count).reshape(shape);
}

c10::IValue none() {
  return {};
}

/// Ops that write without an in-place name: running statistics, hidden updates, targets that no row has.
std::vector<RowCall> byHand() {
  const auto one = [] { return at::ones({3}); };
  const auto zero = [] { return at::zeros({3}); };
  const auto picture = [] { return data({4, 3, 2, 2}); };
  std::vector<RowCall> calls;
  calls.push_back(call("aten::batch_norm", "", {picture(), one(), zero(), zero(), one(), true, 0.1, 1e-5, false}));
  calls.push_back(call("aten::instance_norm", "", {picture(), one(), zero(), zero(), one(), true, 0.1, 1e-5, false}));
  calls.push_back(call("aten::native_batch_norm", "", {picture(), one(), zero(), zero(), one(), true, 0.1, 1e-5}));
  calls.push_back(
      call("aten::_batch_norm_impl_index", "", {picture(), one(), zero(), zero(), one(), true, 0.1, 1e-5, false}));
  calls.push_back(
      call("aten::_native_batch_norm_legit", "", {picture(), one(), zero(), zero(), one(), true, 0.1, 1e-5}));
  calls.push_back(call("aten::_batch_norm_with_update", "", {picture(), one(), zero(), zero(), one(), 0.1, 1e-5}));
  const auto indices = [] { return at::tensor(std::vector<std::int64_t>{2, 0}, at::kLong); };
  c10::List<std::optional<at::Tensor>> places;
  places.push_back(indices());
  calls.push_back(call("aten::index_put_", "", {data({3, 4}), places, data({2, 4}), false}));
  calls.push_back(call("aten::index_add_", "", {data({3, 4}), 0, indices(), data({2, 4})}));
  calls.push_back(call("aten::index_copy_", "", {data({3, 4}), 0, indices(), data({2, 4})}));
  calls.push_back(call("aten::index_fill_", "int_Scalar", {data({3, 4}), 0, indices(), 2.0}));
  const auto rows = [] { return at::zeros({1, 4}, at::kLong); };
  calls.push_back(call("aten::scatter_", "src", {data({3, 4}), 0, rows(), data({1, 4})}));
  calls.push_back(call("aten::scatter_add_", "", {data({3, 4}), 0, rows(), data({1, 4})}));
  calls.push_back(call("aten::masked_fill_", "Scalar", {data({3, 4}), data({3, 4}).gt(0), 5.0}));
  calls.push_back(call("aten::masked_scatter_", "", {data({3, 4}), data({3, 4}).gt(0), data({3, 4})}));
  calls.push_back(call("aten::copy_", "", {data({3, 4}), data({3, 4}).mul(2), false}));
  calls.push_back(call("aten::add_", "Tensor", {data({3, 4}), data({3, 4}), 1}));
  calls.push_back(call("aten::mul_", "Tensor", {data({3, 4}), data({3, 4})}));
  calls.push_back(call("aten::div_", "Tensor", {data({3, 4}), data({3, 4}).add(3)}));
  calls.push_back(call("aten::relu_", "", {data({3, 4})}));
  calls.push_back(call("aten::clamp_", "", {data({3, 4}), 0.0, none()}));
  calls.push_back(call("aten::addmm_", "", {data({3, 3}), data({3, 4}), data({4, 3}), 1, 1}));
  calls.push_back(call("aten::addcmul_", "", {data({3, 4}), data({3, 4}), data({3, 4}), 1}));
  calls.push_back(call("aten::lerp_", "Scalar", {data({3, 4}), data({3, 4}).mul(2), 0.5}));
  calls.push_back(call("aten::cumsum_", "", {data({3, 4}), 0, none()}));
  calls.push_back(call("aten::mm", "out", {data({3, 4}), data({4, 3}), at::zeros({3, 3})}));
  // Destinations of other kinds, which no operand can follow.
  calls.push_back(call("aten::gt", "Tensor_out", {data({3, 4}), data({3, 4}).mul(0.9), at::zeros({3, 4}, at::kBool)}));
  calls.push_back(call("aten::argmax", "out", {data({3, 4}), 1, false, at::zeros({3}, at::kLong)}));
  calls.push_back(call("aten::copy_", "", {at::zeros({3, 4}, at::kInt), data({3, 4}).mul(4), false}));
  calls.push_back(
      call("aten::index_put_", "", {at::zeros({3, 4}, at::kLong), places, data({2, 4}).to(at::kLong), false}));
  return calls;
}

/// Every op that the oracle has a row of.
std::set<std::string> namedByOracle() {
  std::set<std::string> names;
  for (const nlohmann::json& row : test::oracleRows()) names.insert(test::fullName(row["op"], row["overload"]));
  return names;
}

std::string nameOf(const RowCall& call) {
  return test::fullName(call.op.operator_name().name, call.op.operator_name().overload_name);
}

/// The first float32 row of every op that the oracle names, listed on either device or not, that the CPU can run.
std::vector<RowCall> byOracle() {
  std::set<std::string> seen;
  std::vector<RowCall> calls;
  for (const nlohmann::json& row : test::oracleRows()) {
    if (test::hasNames(row)) continue;
    bool all_float32 = !row["in_dtypes"].empty();
    for (const nlohmann::json& dtype : row["in_dtypes"]) all_float32 = all_float32 && dtype == "float32";
    if (!all_float32) continue;
    const std::string name = test::fullName(row["op"], row["overload"]);
    if (seen.count(name) > 0) continue;
    const RowCall made = test::callOf(row);
    if (!copyOf(made).run().ok) continue;
    seen.insert(name);
    calls.push_back(made);
    // Its in-place form writes the first argument.
    const std::string in_place = row["op"].get<std::string>() + "_";
    const auto form = c10::Dispatcher::singleton().findSchema({in_place, row["overload"].get<std::string>()});
    if (!form || form->schema().arguments().size() != made.arguments.size()) continue;
    const RowCall writes{*form, made.arguments};
    if (!copyOf(writes).run().ok || !seen.insert(in_place).second) continue;
    calls.push_back(copyOf(writes));
  }
  return calls;
}

/// How far two steps of the format may lie apart, beside values of about 1.
double tolerance(const formats::Format& format) {
  return format == formats::kFloat32 ? 1e-5 : std::ldexp(8.0, -format.mantissa_bits - 1);
}

}  // namespace

/// What an op writes stays what it was: the same object, in its own dtype, with the values of the uncast run as exactly
/// as the format allows.
class TestWrittenArguments : public test::Suite {
  Q_OBJECT

 private Q_SLOTS:
  void initTestCase() { at::set_num_threads(1); }

  /// Of the ops that the oracle names, those that are not called above are in the table of exceptions.
  void theTableNamesEveryOpThatIsNotCalled() {
    std::set<std::string> open = namedByOracle();
    const std::size_t named = open.size();
    for (const RowCall& made : byOracle()) open.erase(nameOf(made));
    for (const RowCall& made : byHand()) open.erase(nameOf(made));
    test::Exceptions excepted("roles");
    for (const std::string& name : open) {
      if (!excepted.excepts(name)) QVERIFY2(false, (name + " is called by no test and not in the table").c_str());
    }
    QCOMPARE(excepted.counted(), std::string());
    qInfo("%zu ops named by the oracle, %d of them not called (in the table)", named, excepted.total());
  }

  /// An op of the samples and the model files is called above with the arguments that it has there.
  void everyOpMetInAModelIsCalled() {
    const test::MetOps met = test::metInModels();
    qInfo("%zu ops met in %d models", met.calls.size(), met.models);
    QCOMPARE(met.models, 25);
    // The interpreter's own op on lists: no rule casts it.
    QVERIFY(met.undispatched == std::vector<std::string>{"aten::append.t"});
    QVERIFY(met.calls.size() > 45);
  }

  void aRuleLeavesWhatAnOpWritesInPlace_data() {
    QTest::addColumn<QString>("format");
    for (const char* format : {"float32", "bfloat16", "float16", "tfloat32", "float8_e4m3fn", "float8_e5m2", "e5m6"}) {
      QTest::newRow(format) << QString::fromLatin1(format);
    }
  }
  void aRuleLeavesWhatAnOpWritesInPlace() {
    QFETCH(const QString, format);
    const formats::Format asked = *formats::parse(format.toStdString());
    int calls = 0;
    int written = 0;
    std::vector<std::string> refused;
    std::vector<RowCall> all = byOracle();
    for (RowCall& made : byHand()) all.push_back(std::move(made));
    for (RowCall& made : test::metInModels().calls) all.push_back(std::move(made));
    for (const RowCall& made : all) {
      const std::string name = nameOf(made);
      const RowCall before = copyOf(made);
      const RowCall uncast = copyOf(made);
      const RowCall cast = copyOf(made);
      at::manual_seed(1);
      OneSite(uncast, {}).run();
      at::manual_seed(1);
      try {
        OneSite(cast, asked).run();
      } catch (const std::exception& error) {
        refused.push_back(name + ": " + std::string(error.what()).substr(0, 120));
        continue;
      }
      ++calls;
      const auto was = tensorsIn(before.arguments);
      const auto expected = tensorsIn(uncast.arguments);
      const auto got = tensorsIn(cast.arguments);
      for (std::size_t i = 0; i < was.size(); ++i) {
        QVERIFY2(got[i].scalar_type() == was[i].scalar_type(), name.c_str());
        if (was[i].equal(expected[i])) {
          QVERIFY2(got[i].equal(was[i]), (name + " wrote an argument that it only reads").c_str());
          continue;
        }
        ++written;
        QVERIFY2(!got[i].equal(was[i]), (name + " silently stopped to write an argument").c_str());
        const double near = tolerance(asked);
        QVERIFY2(got[i].allclose(expected[i], near, near * 2), name.c_str());
      }
    }
    for (const std::string& text : refused) qInfo("cannot run in %s: %s", qPrintable(format), text.c_str());
    qInfo("%d ops called in %s, %d arguments written, %zu ops have no kernel for it", calls, qPrintable(format),
          written, refused.size());
    QVERIFY(calls > 150);
    QVERIFY(written > 40);
    QVERIFY(asked != formats::kFloat32 || refused.empty());
  }

  /// A role taken away must show: without it the statistics are a temporary's.
  void theTestSeesStatisticsThatStopLearning() {
    const at::Tensor mean = at::zeros({3});
    const at::Tensor cast = mean.to(at::kHalf);
    call("aten::batch_norm", "",
         {data({4, 3, 2, 2}).to(at::kHalf), none(), none(), cast, at::ones({3}, at::kHalf), true, 0.1, 1e-5, false})
        .run();
    QVERIFY(mean.equal(at::zeros({3})));
    QVERIFY(!cast.equal(at::zeros({3}, at::kHalf)));
  }
};

BINADE_SUITE(TestWrittenArguments);
#include "tst_written_arguments.moc"
