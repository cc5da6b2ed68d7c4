// SPDX-License-Identifier: Apache-2.0
#include "tests/autocast_oracle/golden_calls.h"

#include <ATen/ATen.h>

namespace binade::test {

namespace {

constexpr auto i32 = at::kInt;

/// Makes tensors on one device and names calls.
class Maker {
 public:
  explicit Maker(c10::DeviceType device) : device_(device) {}

  GoldenCalls make() {
    matrices();
    reductions();
    elementwise();
    normalisations();
    losses();
    layers();
    promotions();
    others();
    return std::move(calls_);
  }

 private:
  void is(const char* name, std::function<at::Tensor()> call) {
    calls_[name] = [call = std::move(call)] { return Results{call()}; };
  }

  at::Tensor t(at::ScalarType dtype, at::IntArrayRef shape = {4, 4}) const {
    return at::ones(shape, at::TensorOptions(at::kFloat).device(device_)).to(dtype);
  }
  at::Tensor indices(std::int64_t count) const {
    return at::zeros({count}, at::TensorOptions(at::kLong).device(device_));
  }

  void matrices() {
    is("mm f32", [this] { return at::mm(t(f32), t(f32)); });
    is("mm f32 bf autocast", [this] { return at::mm(t(f32), t(f32)); });
    is("mm f64", [this] { return at::mm(t(f64), t(f64)); });
    is("linalg.vecdot f32", [this] { return at::linalg_vecdot(t(f32), t(f32)); });
    is("einsum f32", [this] { return at::einsum("ij,jk->ik", {t(f32), t(f32)}); });
    is("linear", [this] { return at::linear(t(f32), t(f32), t(f32, {4})); });
    is("addmm_ f32", [this] { return t(f32).addmm_(t(f32), t(f32)); });
    is("mm out", [this] {
      at::Tensor out = t(f32);
      return at::mm_out(out, t(f32), t(f32));
    });
    is("_addmm_activation (unlisted cuda)", [this] { return at::_addmm_activation(t(f32, {4}), t(f32), t(f32)); });
    const auto attention = [this](at::ScalarType query, at::ScalarType value) {
      const at::Tensor q = t(query, {1, 1, 4, 8});
      return at::scaled_dot_product_attention(q, q, t(value, {1, 1, 4, 8}));
    };
    is("sdpa f32", [attention] { return attention(f32, f32); });
    is("sdpa hf hf f32", [attention] { return attention(hf, f32); });
  }

  void reductions() {
    is("softmax hf", [this] { return at::softmax(t(hf), 0); });
    is("softmax hf dtype=hf", [this] { return at::softmax(t(hf), 0, hf); });
    is("softmax hf dtype=f64", [this] { return at::softmax(t(hf), 0, f64); });
    is("softmax f64", [this] { return at::softmax(t(f64), 0); });
    is("softmax int", [this] { return at::softmax(t(i32), 0); });
    is("sum hf", [this] { return at::sum(t(hf)); });
    is("sum hf dim", [this] { return at::sum(t(hf), {0}); });
    is("sum int", [this] { return at::sum(t(i32)); });
    is("sum f64", [this] { return at::sum(t(f64)); });
    is("sum hf dtype=hf", [this] { return at::sum(t(hf), hf); });
    is("mean hf (unlisted)", [this] { return at::mean(t(hf)); });
    is("std/var hf (unlisted)", [this] { return at::std(t(hf)); });
    is("prod hf", [this] { return at::prod(t(hf)); });
    is("cumsum hf", [this] { return at::cumsum(t(hf), 0); });
    is("norm hf", [this] { return at::norm(t(hf)); });
    is("norm hf dim", [this] { return at::norm(t(hf), 2, {0}); });
    is("norm f64", [this] { return at::norm(t(f64)); });
    is("norm hf dtype=hf", [this] { return at::norm(t(hf), 2, hf); });
    is("aten.norm.Scalar hf", [this] { return at::norm(t(hf), 2); });
    is("aten.norm.Scalar f64", [this] { return at::norm(t(f64), 2); });
    is("aten.norm.ScalarOpt_dim hf", [this] { return at::norm(t(hf), 2, {0}, false); });
    is("aten.norm.ScalarOpt_dtype hf", [this] { return at::norm(t(hf), 2, hf); });
    is("linalg.vector_norm hf", [this] { return at::linalg_vector_norm(t(hf), 2); });
    is("linalg.matrix_norm hf", [this] { return at::linalg_matrix_norm(t(hf), at::Scalar(1)); });
    is("linalg.matrix_norm str", [this] { return at::linalg_matrix_norm(t(hf), "fro"); });
    is("linalg.norm hf (unlisted composite)", [this] { return at::linalg_norm(t(hf)); });
  }

  void elementwise() {
    is("exp hf", [this] { return at::exp(t(hf)); });
    is("exp int", [this] { return at::exp(t(i32)); });
    is("exp f64", [this] { return at::exp(t(f64)); });
    is("pow hf scalar", [this] { return at::pow(t(hf), 2); });
    is("pow f64,hf", [this] { return at::pow(t(f64), t(hf)); });
    is("sqrt hf (unlisted)", [this] { return at::sqrt(t(hf)); });
    is("div 1/x -> reciprocal __rdiv__", [this] { return at::reciprocal(t(hf)).mul(1); });
    is("sigmoid hf (unlisted)", [this] { return at::sigmoid(t(hf)); });
    is("gelu hf (unlisted)", [this] { return at::gelu(t(hf)); });
    is("softplus", [this] { return at::softplus(t(hf)); });
    is("mixed devices: cpu 0-dim scalar tensor in pow",
       [this] { return at::pow(t(hf), at::ones({}, at::TensorOptions(f32))); });
  }

  void normalisations() {
    is("layer_norm hf", [this] { return at::layer_norm(t(hf), {4}); });
    is("group_norm hf", [this] { return at::group_norm(t(hf, {1, 4, 4}), 2); });
    is("batch_norm hf (unlisted)", [this] {
      const at::Tensor one = t(f32, {4});
      return at::batch_norm(t(hf), one, one, one.clone(), one.clone(), true, 0.1, 1e-5, false);
    });
    is("instance_norm hf (unlisted)", [this] {
      return at::instance_norm(t(hf, {1, 4, 4}), {}, {}, {}, {}, true, 0.1, 1e-5, false);
    });
    is("rms_norm hf", [this] { return at::rms_norm(t(hf), {4}); });
    is("rms_norm hf, w f32", [this] { return at::rms_norm(t(hf), {4}, t(f32, {4})); });
    is("normalize hf", [this] {
      const at::Tensor x = t(hf);
      return x.div(at::norm(x, 2, {1}, true).clamp_min(1e-12).expand_as(x));
    });
  }

  void losses() {
    is("mse hf", [this] { return at::mse_loss(t(hf), t(hf)); });
    is("cross_entropy hf", [this] { return at::cross_entropy_loss(t(hf), indices(4)); });
    is("nll_loss hf", [this] { return at::nll_loss(t(hf), indices(4)); });
    is("bce hf BANNED", [this] { return at::binary_cross_entropy(t(hf), t(hf)); });
    is("bce f64 BANNED too?", [this] { return at::binary_cross_entropy(t(f64), t(f64)); });
    is("bce_with_logits hf", [this] { return at::binary_cross_entropy_with_logits(t(hf), t(hf)); });
    is("cosine_similarity", [this] { return at::cosine_similarity(t(hf), t(hf)); });
  }

  void layers() {
    const auto image = [this](at::ScalarType dtype) { return t(dtype, {1, 1, 4, 4}); };
    const std::vector<std::int64_t> size{8, 8};
    is("upsample bilinear hf", [image, size] { return at::upsample_bilinear2d(image(hf), size, false); });
    is("upsample nearest hf", [image, size] { return at::upsample_nearest2d(image(hf), size); });
    is("aten.upsample_nearest2d.vec hf",
       [image, size] { return at::upsample_nearest2d(image(hf), at::OptionalIntArrayRef(size), {}); });
    is("aten.upsample_nearest2d(default) hf", [image, size] { return at::upsample_nearest2d(image(hf), size); });
    is("avg_pool2d hf", [image] { return at::avg_pool2d(image(hf), {2, 2}); });
    is("adaptive_avg_pool2d", [image] { return at::adaptive_avg_pool2d(image(hf), {2, 2}); });
    is("conv2d f32", [this, image] { return at::conv2d(image(f32), t(f32, {1, 1, 3, 3})); });
    is("conv2d same f32", [this, image] {
      return at::conv2d(image(f32), t(f32, {1, 1, 3, 3}), {}, at::IntArrayRef{1}, "same");
    });
    is("prelu", [this] { return at::prelu(t(f32), t(f32, {1})); });
    is("embedding", [this] { return at::embedding(t(f32), indices(2)); });
    is("grid_sample hf f32", [this, image] { return at::grid_sampler(image(hf), t(f32, {1, 2, 2, 2}), 0, 0, false); });
  }

  void promotions() {
    const auto dot = [this](at::ScalarType a, at::ScalarType b) { return at::dot(t(a, {4}), t(b, {4})); };
    is("dot hf f32", [dot] { return dot(hf, f32); });
    is("dot hf hf", [dot] { return dot(hf, hf); });
    is("dot f32 f32", [dot] { return dot(f32, f32); });
    is("dot f64 f32", [dot] { return dot(f64, f32); });
    is("vdot hf f32", [this] { return at::vdot(t(hf, {4}), t(f32, {4})); });
    is("tensordot f32 hf", [this] { return at::tensordot(t(f32), t(hf), {1}, {0}); });
    is("tensordot f32 f32", [this] { return at::tensordot(t(f32), t(f32), {1}, {0}); });
    const auto bilinear = [this](at::ScalarType weight, const std::optional<at::Tensor>& bias) {
      return at::bilinear(t(hf), t(hf), t(weight, {2, 4, 4}), bias);
    };
    is("bilinear hf hf w hf bias None", [bilinear] { return bilinear(hf, {}); });
    is("bilinear hf hf w hf bias f32 (optional ignored)", [this, bilinear] { return bilinear(hf, t(f32, {2})); });
    is("bilinear hf hf w f32 bias hf", [this, bilinear] { return bilinear(f32, t(hf, {2})); });
    is("index_put f32 hf", [this] { return at::index_put(t(f32), {indices(2)}, t(hf, {2, 4})); });
    const auto index = [this] { return indices(4).view({1, 4}); };
    is("scatter_add f32 hf", [this, index] { return at::scatter_add(t(f32), 0, index(), t(hf)); });
    is("scatter_add_ f32 hf", [this, index] { return t(f32).scatter_add_(0, index(), t(hf)); });
    is("cat hf f32 (unlisted cuda)", [this] { return at::cat({t(hf), t(f32)}); });
    is("cat bf hf (unlisted cuda, native promote)", [this] { return at::cat({t(bf), t(hf)}); });
    is("index_copy f32 hf (unlisted cuda)", [this] { return at::index_copy(t(f32), 0, indices(2), t(hf, {2, 4})); });
    is("addcmul f32 hf hf", [this] { return at::addcmul(t(f32), t(hf), t(hf)); });
    is("addcmul hf hf hf", [this] { return at::addcmul(t(hf), t(hf), t(hf)); });
    is("addcmul bf hf hf under hf", [this] { return at::addcmul(t(bf), t(hf), t(hf)); });
    is("addcmul_ f32 hf hf in place", [this] { return t(f32).addcmul_(t(hf), t(hf)); });
    is("addcdiv hf hf hf", [this] { return at::addcdiv(t(hf), t(hf), t(hf)); });
    is("cross f32 hf", [this] { return at::cross(t(f32, {4, 3}), t(hf, {4, 3}), 1); });
    is("linalg.cross f32 hf (unlisted)", [this] { return at::linalg_cross(t(f32, {4, 3}), t(hf, {4, 3})); });
  }

  void others() {
    is("fft hf", [this] { return at::fft_fft(t(hf)); });
    is("cdist hf", [this] { return at::cdist(t(hf), t(hf)); });
  }

  c10::DeviceType device_;
  GoldenCalls calls_;
};

}  // namespace

GoldenCalls cudaGoldenCalls(c10::DeviceType device) {
  // The calls refer to their maker; there are two devices, and both live as long as the process.
  static std::map<c10::DeviceType, Maker> makers;
  return makers.try_emplace(device, device).first->second.make();
}

}  // namespace binade::test
