// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/golden_calls.h"

#include <ATen/ATen.h>

namespace binade::test {

namespace {

constexpr auto i64 = at::kLong;
constexpr auto c64 = at::kComplexFloat;

at::Tensor t(at::ScalarType dtype, at::IntArrayRef shape = {4, 4}) {
  return at::ones(shape, at::TensorOptions(at::kFloat)).to(dtype);
}

at::Tensor indices(std::vector<std::int64_t> values) {
  return at::tensor(values, at::kLong);
}

/// The weights of a recurrent layer with inputs and states of 4: `gates` times 4 rows.
std::vector<at::Tensor> weights(std::int64_t gates) {
  return {t(f32, {4 * gates, 4}), t(f32, {4 * gates, 4}), t(f32, {4 * gates}), t(f32, {4 * gates})};
}

Results tupleOf(std::tuple<at::Tensor, at::Tensor> two) {
  return {std::get<0>(two), std::get<1>(two)};
}

GoldenCalls make() {
  GoldenCalls calls;
  const auto is = [&calls](const char* name, std::function<at::Tensor()> call) {
    calls[name] = [call = std::move(call)] { return Results{call()}; };
  };
  // Eligibility and casts.
  is("mm f32 f32", [] { return at::mm(t(f32), t(f32)); });
  is("mm hf hf (bf autocast)", [] { return at::mm(t(hf), t(hf)); });
  is("mm bf hf (bf autocast)", [] { return at::mm(t(bf), t(hf)); });
  is("mm f64 f64", [] { return at::mm(t(f64), t(f64)); });
  is("mm f64 f32", [] { return at::mm(t(f64), t(f32)); });
  is("mm int int", [] { return at::mm(t(i64), t(i64)); });
  is("mm complex complex", [] { return at::mm(t(c64), t(c64)); });
  is("mm complex f32", [] { return at::mm(t(c64), t(f32)); });
  is("mm fp8 fp8", [] { return at::mm(t(at::kFloat8_e4m3fn), t(at::kFloat8_e5m2)); });
  is("mm sparse dense f32", [] { return at::mm(t(f32).to_sparse(), t(f32)); });
  is("mm csr dense f32", [] { return at::mm(t(f32).to_sparse_csr(), t(f32)); });
  is("sparse.mm", [] { return at::_sparse_mm(t(f32).to_sparse(), t(f32)); });
  is("mkldnn linear", [] { return at::linear(t(f32).to_mkldnn(), t(f32).to_mkldnn(), t(f32, {4}).to_mkldnn()); });
  is("mse_loss bf bf (fp32)", [] { return at::mse_loss(t(bf), t(bf)); });
  is("mse_loss f64 bf", [] { return at::mse_loss(t(f64), t(bf)); });
  is("mse_loss int", [] { return at::mse_loss(t(f32), t(i64)); });
  is("prod bf (cpu fp32)", [] { return at::prod(t(bf)); });
  is("prod bf dtype=bf", [] { return at::prod(t(bf), bf); });
  is("prod int", [] { return at::prod(t(i64)); });
  is("softmax bf (cpu: not listed)", [] { return at::softmax(t(bf), 0); });
  is("sum bf (cpu: not listed)", [] { return at::sum(t(bf)); });
  is("layer_norm bf cpu", [] { return at::layer_norm(t(bf), {4}); });
  is("layer_norm bf in, f32 w", [] { return at::layer_norm(t(bf), {4}, t(f32, {4}), t(f32, {4})); });
  is("exp bf cpu", [] { return at::exp(t(bf)); });
  is("pow bf cpu", [] { return at::pow(t(bf), 2); });
  is("norm bf cpu", [] { return at::norm(t(bf)); });
  is("einsum f32 cpu (unlisted->inner bmm)", [] { return at::einsum("ij,jk->ik", {t(f32), t(f32)}); });
  is("mv f32 cpu (unlisted)", [] { return at::mv(t(f32), t(f32, {4})); });
  is("addmv f32 cpu (unlisted)", [] { return at::addmv(t(f32, {4}), t(f32), t(f32, {4})); });
  is("dot f32 cpu (unlisted)", [] { return at::dot(t(f32, {4}), t(f32, {4})); });
  is("dot bf,f32 cpu (unlisted)", [] { return at::dot(t(bf, {4}), t(f32, {4})); });
  is("matmul vec vec", [] { return at::matmul(t(f32, {4}), t(f32, {4})); });
  is("tensordot cpu", [] { return at::tensordot(t(f32), t(f32), {1}, {0}); });
  is("chain_matmul cpu", [] { return at::chain_matmul({t(f32), t(f32), t(f32)}); });
  is("bilinear cpu", [] { return at::bilinear(t(f32), t(f32), t(f32, {2, 4, 4}), t(f32, {2})); });
  is("conv2d padding='same' f32", [] {
    return at::conv2d(t(f32, {1, 1, 4, 4}), t(f32, {1, 1, 3, 3}), {}, at::IntArrayRef{1}, "same");
  });
  is("conv2d f32", [] { return at::conv2d(t(f32, {1, 1, 4, 4}), t(f32, {1, 1, 3, 3})); });
  is("convolution (unlisted cpu)", [] {
    return at::convolution(t(f32, {1, 1, 4, 4}), t(f32, {1, 1, 3, 3}), {}, {1, 1}, {0, 0}, {1, 1}, false, {0, 0}, 1);
  });
  const auto attention = [](const std::optional<at::Tensor>& mask) {
    const at::Tensor q = t(f32, {1, 1, 4, 8});
    return at::scaled_dot_product_attention(q, q, q, mask);
  };
  is("sdpa f32", [attention] { return attention({}); });
  is("sdpa f32 with bool mask", [attention] { return attention(t(at::kBool)); });
  is("sdpa f32 with float mask", [attention] { return attention(t(f32)); });
  is("cross_entropy bf", [] { return at::cross_entropy_loss(t(bf), indices({0, 1, 2, 3})); });
  is("bce bf cpu (allowed)", [] { return at::binary_cross_entropy(t(bf) / 2, t(bf)); });
  calls["lstm_cell f32 cpu"] = [] {
    const auto w = weights(4);
    const std::vector<at::Tensor> state{t(f32), t(f32)};
    return tupleOf(at::lstm_cell(t(f32), state, w[0], w[1], w[2], w[3]));
  };
  is("gru_cell f32 cpu", [] {
    const auto w = weights(3);
    return at::gru_cell(t(f32), t(f32), w[0], w[1], w[2], w[3]);
  });
  is("LSTM f32 cpu", [] {
    const std::vector<at::Tensor> state{t(f32, {1, 4, 4}), t(f32, {1, 4, 4})};
    return std::get<0>(at::lstm(t(f32, {2, 4, 4}), state, weights(4), true, 1, 0.0, false, false, false));
  });
  is("GRU f32 cpu", [] {
    return std::get<0>(at::gru(t(f32, {2, 4, 4}), t(f32, {1, 4, 4}), weights(3), true, 1, 0.0, false, false, false));
  });
  is("RNN f32 cpu", [] {
    return std::get<0>(
        at::rnn_tanh(t(f32, {2, 4, 4}), t(f32, {1, 4, 4}), weights(1), true, 1, 0.0, false, false, false));
  });
  is("linear bias None", [] { return at::linear(t(f32), t(f32)); });
  is("linear bias f64", [] { return at::linear(t(f32), t(f32), t(f64, {4})); });
  is("rms_norm bf", [] { return at::rms_norm(t(bf), {4}); });
  is("batch_norm bf in", [] {
    const at::Tensor one = t(f32, {4});
    return at::batch_norm(t(bf), one, one, one.clone(), one.clone(), true, 0.1, 1e-5, false);
  });
  is("linalg.matrix_norm", [] { return at::linalg_matrix_norm(t(bf), "fro"); });
  is("linalg.inv bf", [] { return at::linalg_inv(at::eye(4).to(bf)); });
  is("interpolate bilinear bf", [] { return at::upsample_bilinear2d(t(bf, {1, 1, 4, 4}), {8, 8}, false); });
  is("cumsum bf", [] { return at::cumsum(t(bf), 0); });
  is("embedding", [] { return at::embedding(t(f32), indices({0, 1})); });
  // Promotion.
  const auto cat = [&is](const char* name, std::vector<at::ScalarType> dtypes) {
    is(name, [dtypes] {
      std::vector<at::Tensor> tensors;
      for (const at::ScalarType dtype : dtypes) tensors.push_back(t(dtype));
      return at::cat(tensors);
    });
  };
  cat("cat bf f32", {bf, f32});
  cat("cat bf bf", {bf, bf});
  cat("cat f32 f32", {f32, f32});
  cat("cat bf f64", {bf, f64});
  cat("cat f32 f64", {f32, f64});
  cat("cat f64 f64", {f64, f64});
  cat("cat bf int", {bf, i64});
  cat("cat int int", {i64, i64});
  cat("cat hf hf under bf", {hf, hf});
  cat("cat hf f32 under bf", {hf, f32});
  cat("cat f32 hf under bf", {f32, hf});
  cat("cat bf hf under bf", {bf, hf});
  cat("cat fp8 under bf", {at::kFloat8_e4m3fn, at::kFloat8_e4m3fn});
  cat("cat complex under bf", {c64, c64});
  cat("cat empty list", {});
  is("stack hf f32 under hf", [] { return at::stack({t(hf), t(f32)}); });
  const auto index_copy = [](at::ScalarType self, at::ScalarType source) {
    return at::index_copy(t(self), 0, indices({0, 1}), t(source, {2, 4}));
  };
  is("index_copy f32 self bf src", [index_copy] { return index_copy(f32, bf); });
  is("index_copy bf self f32 src", [index_copy] { return index_copy(bf, f32); });
  is("index_copy f64 self bf src", [index_copy] { return index_copy(f64, bf); });
  is("index_copy no autocast bf/f32", [index_copy] { return index_copy(bf, f32); });
  is("index_copy_ in-place bf/f32", [] { return t(bf).index_copy_(0, indices({0, 1}), t(f32, {2, 4})); });
  is("index_put f32/bf cpu (unlisted)", [] { return at::index_put(t(f32), {indices({0, 1})}, t(bf, {2, 4})); });
  is("vstack (composite -> cat)", [] { return at::vstack({t(bf), t(f32)}); });
  is("hstack (composite -> cat)", [] { return at::hstack({t(hf), t(f32)}); });
  // In place and out=.
  is("addmm_ f32", [] { return t(f32).addmm_(t(f32), t(f32)); });
  is("mm out f32", [] {
    at::Tensor out = t(f32);
    return at::mm_out(out, t(f32), t(f32));
  });
  is("mm out bf with f32 in", [] {
    at::Tensor out = t(bf);
    return at::mm_out(out, t(f32), t(f32));
  });
  is("addmm_ f32 with bf", [] { return t(f32).addmm_(t(bf), t(f32)); });
  is("baddbmm_ f32", [] { return t(f32, {1, 4, 4}).baddbmm_(t(f32, {1, 4, 4}), t(f32, {1, 4, 4})); });
  is("cat out", [] {
    at::Tensor out = at::empty({0});
    return at::cat_out(out, {t(f32), t(f32)});
  });
  is("matmul out", [] {
    at::Tensor out = t(f32);
    return at::matmul_out(out, t(f32), t(f32));
  });
  return calls;
}

}  // namespace

const GoldenCalls& cpuGoldenCalls() {
  static const GoldenCalls calls = make();
  return calls;
}

}  // namespace binade::test
