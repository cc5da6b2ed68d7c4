// SPDX-License-Identifier: Apache-2.0
#include "engine/diagnose/traced_values.h"

namespace binade::diagnose {

namespace {

std::int64_t version_of(const at::Tensor& tensor) {
  return tensor.is_inference() ? 0 : tensor._version();
}

}  // namespace

void TracedValues::name(const at::Tensor& tensor, TracedValue::Origin origin, const std::string& name,
                        bool from_start) {
  if (!tensor.defined()) return;
  c10::weak_intrusive_ptr<c10::StorageImpl> storage{c10::intrusive_ptr<c10::StorageImpl>()};
  if (origin == TracedValue::Origin::kBuffer && tensor.has_storage()) storage = tensor.storage().getWeakStorageImpl();
  names_.insert_or_assign(tensor.unsafeGetTensorImpl(),
                          Name{Weak(tensor.getIntrusivePtr()), origin, name, from_start, std::move(storage)});
}

void TracedValues::note_rewritten(Name& name) {
  name.rewritten = true;
  if (name.value >= 0) all_[static_cast<std::size_t>(name.value)].rewritten = true;
}

void TracedValues::rewritten(const at::Tensor& tensor) {
  const auto named = names_.find(tensor.unsafeGetTensorImpl());
  if (named != names_.end()) note_rewritten(named->second);
}

int TracedValues::add(const at::Tensor& tensor, TracedValue value) {
  value.seen = observe::look_at(tensor);
  const int id = static_cast<int>(all_.size());
  all_.push_back(std::move(value));
  known_.insert_or_assign(tensor.unsafeGetTensorImpl(), Known{Weak(tensor.getIntrusivePtr()), version_of(tensor), id});
  return id;
}

int TracedValues::of(const at::Tensor& tensor) {
  const auto known = known_.find(tensor.unsafeGetTensorImpl());
  const bool here = known != known_.end() && !known->second.tensor.expired();
  if (here && known->second.version == version_of(tensor)) return known->second.value;
  TracedValue value;
  if (here) {
    // Written since, through another view of the memory or by an op that is not a site.
    value = all_[static_cast<std::size_t>(known->second.value)];
    if (tensor.has_storage()) {
      const auto writer = writers_.find(tensor.storage().unsafeGetStorageImpl());
      if (writer != writers_.end() && !writer->second.first.expired()) {
        value.origin = TracedValue::Origin::kCall;
        value.call = writer->second.second;
        value.older = known->second.value;
      }
    }
  } else if (const auto named = names_.find(tensor.unsafeGetTensorImpl());
             named != names_.end() && !named->second.tensor.expired()) {
    value.origin = named->second.origin;
    value.name = named->second.name;
    value.from_start = named->second.from_start;
    value.rewritten = named->second.rewritten;
    named->second.value = static_cast<int>(all_.size());
  }
  return add(tensor, std::move(value));
}

int TracedValues::made(const at::Tensor& tensor, int call) {
  const auto known = known_.find(tensor.unsafeGetTensorImpl());
  const bool here = known != known_.end() && !known->second.tensor.expired();
  if (here && known->second.version == version_of(tensor)) return known->second.value;  // passed through unchanged
  if (here && tensor.has_storage()) {
    const c10::Storage& storage = tensor.storage();
    writers_.insert_or_assign(storage.unsafeGetStorageImpl(), std::make_pair(storage.getWeakStorageImpl(), call));
    for (auto& [impl, name] : names_) {
      if (name.origin == TracedValue::Origin::kBuffer && name.storage.lock().get() == storage.unsafeGetStorageImpl()) {
        note_rewritten(name);
      }
    }
  }
  TracedValue value;
  value.origin = TracedValue::Origin::kCall;
  value.call = call;
  return add(tensor, std::move(value));
}

}  // namespace binade::diagnose
