"""Lets torchvision's wheel import beside a CPU build of torch, in the test environment.

That wheel's compiled part wants CUDA's libraries; without it the import stops at the first
operator that is not declared ("operator torchvision::nms does not exist"), and with it every
model class of transformers. Here the operators are declared, and no more: resizing and
cropping, all that an image processor needs, are plain torch; nms and roi_align would fail if
called. ``environment`` copies this file into its own environment with a ``.pth`` line beside
it; nobody's site-packages is touched, and where torchvision's own part loads, this does
nothing.
"""

import importlib.abc
import sys

OPERATORS = (
    "nms",
    "qnms",
    "roi_align",
    "qroi_align",
    "_roi_align_backward",
    "roi_pool",
    "_roi_pool_backward",
    "ps_roi_align",
    "_ps_roi_align_backward",
    "ps_roi_pool",
    "_ps_roi_pool_backward",
    "deform_conv2d",
    "_deform_conv2d_backward",
)


#: Of torchvision, in the order of their import.
FIRST_READERS = {"torchvision._autograd_registrations", "torchvision._meta_registrations"}


class _Declares(importlib.abc.MetaPathFinder):
    """Finds nothing: it acts when torchvision's first submodule with operators is looked for."""

    library = None

    def find_spec(self, name, path=None, target=None):
        if name in FIRST_READERS and self.library is None:
            import torch

            if not hasattr(torch.ops.torchvision, "nms"):
                self.library = torch.library.Library("torchvision", "DEF")
                for operator in OPERATORS:
                    self.library.define(f"{operator}(Tensor input) -> Tensor")


sys.meta_path.insert(0, _Declares())
